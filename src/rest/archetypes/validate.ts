import type { Fault } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Issue, Schema } from '../schemas/schema.ts'

/** Where an invalid value came from; determines how errors point to it. */
export type ValueSource = 'body' | 'query'

/** Limits the response: a hostile body could have one error per byte. */
const mostFaults = 100

const details: Readonly<Record<ValueSource, string>> = {
  body: 'Invalid body.',
  query: 'Invalid query parameters.',
}

/**
 * Validates a value sent by a client and returns the output of the schema.
 *
 * @throws HttpError 400 with `errors: [{ path, message }]`, at most 100 of them.
 */
export async function validate<Output>(
  schema: Schema<Output>,
  value: unknown,
  source: ValueSource = 'body',
): Promise<Output> {
  const result = await schema['~standard'].validate(value)
  if (result.issues === undefined) return result.value
  throw new HttpError(400, details[source], { members: { errors: faultsOf(result.issues, source) } })
}

/** Converts the issues of a schema to members of a problem document, at most 100. */
export function faultsOf(issues: readonly Issue[], source: ValueSource = 'body'): readonly Fault[] {
  return issues.slice(0, mostFaults).map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part))
    return { path: source === 'query' ? keys.join('.') : keys.map(pointerToken).join(''), message }
  })
}

/** RFC 6901 §3. */
function pointerToken(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
