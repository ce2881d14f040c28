import { HttpError } from '../../http/errors/http-error.ts'
import { actionOf } from './action.ts'
import { answerReply, type Done } from './answer-reply.ts'
import { type Accepts, formatsOf } from './body-format.ts'
import { contentLocation, unvalidated } from './content-location.ts'
import type { AccessRule, Operation } from './part.ts'
import { type Current, contentsOf, type Read, readOnce, readOperation, representationsOf } from './reading.ts'
import type { Showing } from './represent.ts'
import { bodyOf, type ChangeAction, demandValue, ownAddress, requestContents, writing } from './writing.ts'

/** What one resource can do. What it is given, it can. */
export interface MemberOptions<Path extends string, Value, Body = Value> extends Showing<Path, Value> {
  /** Who may call. @default 'public' */
  readonly access?: AccessRule | undefined
  /** Answers GET and HEAD; what it finds is what preconditions are held against. */
  readonly read: Read<Path, Value>
  /** What a body may be. @default the representation, or any JSON */
  readonly accepts?: Accepts<Body> | undefined
  /** Answers PUT where there is something: 200 with a value, 204 without. */
  readonly replace?: ((action: ChangeAction<Path, Value, Body>) => Done<Value> | Promise<Done<Value>>) | undefined
  /** Answers DELETE where there is something: 204, or 200 with a value; 404 when it says `false`. */
  readonly remove?:
    | ((action: ChangeAction<Path, Value, undefined>) => boolean | Done<never> | Promise<boolean | Done<never>>)
    | undefined
  /** Whether PUT and DELETE without a precondition are refused with 428. @default false */
  readonly requirePrecondition?: boolean | undefined
  /** One sentence for the description of the service. */
  readonly summary?: string | undefined
}

export function memberOperations<Path extends string, Value, Body>(
  path: Path,
  options: MemberOptions<Path, Value, Body>,
): readonly Operation[] {
  const current = readOnce(path, options.read)
  return [
    readOperation(path, current, options, options),
    ...(options.replace === undefined ? [] : [replaceOperation(path, current, options, options.replace)]),
    ...(options.remove === undefined ? [] : [removeOperation(path, current, options, options.remove)]),
  ]
}

function replaceOperation<Path extends string, Value, Body>(
  path: Path,
  current: Current<Value>,
  options: MemberOptions<Path, Value, Body>,
  replace: NonNullable<MemberOptions<Path, Value, Body>['replace']>,
): Operation {
  const formats = formatsOf<Body>(acceptsOf(options))
  return {
    method: 'PUT',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const value = await demandValue(current, call, site)
      const body = await bodyOf(call, formats, site)
      // There is one, or it would have been a 404.
      const answer = await replace({ ...action, body, current: value as Value })
      const headers = { 'Content-Location': contentLocation(ownAddress(action), action.query) }
      const isValue = answer !== undefined
      return answerReply(answer, { ...options, ...unvalidated }, isValue ? { headers } : {}, action, site)
    },
    representations: representationsOf(options),
    description: {
      summary: options.summary,
      query: [],
      request: requestContents(formats),
      responses: [
        { status: 200, description: 'It was replaced.', content: contentsOf(options) },
        { status: 204, description: 'It was replaced.' },
      ],
    },
  }
}

export function removeOperation<Path extends string, Value, Body>(
  path: Path,
  current: Current<Value>,
  options: MemberOptions<Path, Value, Body>,
  remove: NonNullable<MemberOptions<Path, Value, Body>['remove']>,
): Operation {
  return {
    method: 'DELETE',
    ...writing(options),
    perform: async (call, site) => {
      const action = actionOf(call, path, site)
      const value = await demandValue(current, call, site)
      const answer = await remove({ ...action, body: undefined, current: value as Value })
      if (answer === false) throw new HttpError(404, 'Resource not found.')
      return answer === true ? undefined : answerReply(answer, unvalidated, {}, action, site)
    },
    representations: [],
    description: {
      summary: options.summary,
      query: [],
      request: [],
      responses: [{ status: 204, description: 'It is gone.' }],
    },
  }
}

/** What a body may be where nothing else is said: what an answer is. */
export function acceptsOf<Body>(options: {
  readonly accepts?: unknown
  readonly representation?: unknown
}): Accepts<Body> {
  // Where no other body is named its type is that of the values.
  return (options.accepts ?? options.representation ?? anyJson) as Accepts<Body>
}

const anyJson: Accepts<unknown> = {
  '~standard': { version: 1, vendor: 'upkeep', validate: (value) => ({ value }) },
}
