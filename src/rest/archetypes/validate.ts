import type { Fault } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { Issue, Schema } from '../schemas/schema.ts'

/** Where a value came from, and so how its faults are told. */
export type ValueSource = 'body' | 'query'

/** More than anybody repairs at once; a hostile body could have one a byte. */
const mostFaults = 100

const details: Readonly<Record<ValueSource, string>> = {
  body: 'The body is not what it must be.',
  query: 'The query parameters are not what they must be.',
}

/**
 * The value that a schema makes of what a client sent.
 *
 * @throws HttpError 400 with `errors: [{ path, message }]`.
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

/** The issues of a schema as an error document tells them. */
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
