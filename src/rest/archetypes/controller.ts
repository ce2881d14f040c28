import { actionOf } from './action.ts'
import { type ActionResult, toResponse } from './action-response.ts'
import { type Accepts, formatsOf } from './body-format.ts'
import { checkOptions } from './check-archetype.ts'
import { contentsOf, representationsOf } from './reading.ts'
import type { ResponseOptions } from './represent.ts'
import type { AccessRule, ResourceDefinition } from './resource-definition.ts'
import { bodyOf, requestContents, type WriteAction, writing } from './writing.ts'

/** Options of `controller`. */
export interface ControllerOptions<Path extends string, Value, Body = undefined>
  extends Omit<ResponseOptions<Path, Value>, 'lastModified' | 'caching'> {
  /** Who may call it. @default 'public' */
  readonly access?: AccessRule | undefined
  /** Accepted request bodies. @default none; the body is not read */
  readonly accepts?: Accepts<Body> | undefined
  /**
   * Handles POST. A value is sent with 200, no value with 204; `created`, `accepted`, `seeOther` etc. set another
   * status.
   */
  readonly run: (action: WriteAction<Path, Body>) => ActionResult<Value> | Promise<ActionResult<Value>>
  /** One sentence for the OpenAPI document. @default derived from the path */
  readonly summary?: string | undefined
}

const known = ['run', 'accepts', 'access', 'summary', 'representation', 'forms', 'links', 'embeds'] as const

/** Options of other archetypes, which have no effect on an action: resources may share an object of options. */
const ignored = ['lastModified', 'caching']

/** Defines an action, named by a verb and run by POST. */
export function controller<const Path extends string, Value, Body = undefined>(
  path: Path,
  options: ControllerOptions<Path, Value, Body>,
): ResourceDefinition {
  const own = Object.fromEntries(Object.entries(options).filter(([name]) => !ignored.includes(name)))
  checkOptions('controller', path, own, known)
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
              return toResponse(answer, { ...options, caching: 'no-store' }, { mayBeAccepted: true }, action, site)
            },
            representations: representationsOf(options),
            description: {
              summary,
              query: [],
              request: requestContents(formats),
              responses: [
                { status: 200, description: 'The result of the action.', content: contentsOf(options) },
                { status: 201, description: 'A resource was created.', headers: { Location: 'Its URL.' } },
                {
                  status: 202,
                  description: 'The action has started.',
                  headers: { Location: 'The URL of its progress.' },
                },
                { status: 204, description: 'The action was completed.' },
              ],
            },
          },
        ],
      },
    ],
  }
}
