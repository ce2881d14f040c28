import { actionOf } from './action.ts'
import { answerReply, type Done } from './answer-reply.ts'
import { type Accepts, formatsOf } from './body-format.ts'
import { checkOptions, showingOptions } from './check-options.ts'
import type { ResourceDefinition } from './part.ts'
import { contentsOf, representationsOf } from './reading.ts'
import type { Showing } from './represent.ts'
import { bodyOf, requestContents, type WriteAction, type Writing, writing } from './writing.ts'

/** What a controller does. */
export interface ControllerOptions<Path extends string, Value, Body = undefined>
  extends Omit<Showing<Path, Value>, 'lastModified' | 'caching'>,
    Pick<Writing, 'access' | 'summary'> {
  /** What a body may be. @default there is none, and none is read */
  readonly accepts?: Accepts<Body> | undefined
  /** Answers POST: 200 with a value, 204 without; `created`, `accepted`, `seeOther` and their like say something else. */
  readonly run: (action: WriteAction<Path, Body>) => Done<Value> | Promise<Done<Value>>
}

const known = ['run', 'accepts', 'access', 'summary', ...showingOptions]

/** Something to be done, named by a verb: POST. */
export function controller<const Path extends string, Value, Body = undefined>(
  path: Path,
  options: ControllerOptions<Path, Value, Body>,
): ResourceDefinition {
  checkOptions('controller', path, options, known)
  const { accepts, run, summary } = options
  const formats = accepts === undefined ? undefined : formatsOf(accepts)
  return {
    kind: 'resource',
    parts: [
      {
        path,
        archetype: 'controller',
        operations: [
          {
            method: 'POST',
            ...writing(options),
            perform: async (call, site) => {
              const action = actionOf(call, path, site)
              const body = await bodyOf(call, formats, site)
              const answer = await run({ ...action, body })
              return answerReply(answer, { ...options, caching: 'no-store' }, { mayBeAccepted: true }, action, site)
            },
            representations: representationsOf(options),
            description: {
              summary,
              query: [],
              request: requestContents(formats),
              responses: [
                { status: 200, description: 'It was done.', content: contentsOf(options) },
                { status: 201, description: 'Something was created.', headers: { Location: 'Where it is.' } },
                { status: 202, description: 'It was begun.', headers: { Location: 'Where is told how it goes.' } },
                { status: 204, description: 'It was done.' },
              ],
            },
          },
        ],
      },
    ],
  }
}
