import { uuidV7 } from './uuid/uuid-v7.ts'

/** Options of `requestId`. */
export interface RequestIdOptions {
  /** The maximum number of characters of an accepted id. @default 128 */
  readonly longest?: number
  /** Creates an id if none is accepted. @default uuidV7 */
  readonly generate?: () => string
}

const visibleAscii = /^[!-~]+$/

/**
 * Returns the id of a request: its `X-Request-Id` field if that consists of visible ASCII characters and is not too
 * long. Otherwise, or if the field is absent or repeated, returns a new id. The id is safe to log and to forward.
 */
export function requestId(
  incoming: string | readonly string[] | undefined,
  { longest = 128, generate = uuidV7 }: RequestIdOptions = {},
): string {
  const acceptable = typeof incoming === 'string' && incoming.length <= longest && visibleAscii.test(incoming)
  return acceptable ? incoming : generate()
}
