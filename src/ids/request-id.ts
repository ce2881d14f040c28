import { uuidV7 } from './uuid/uuid-v7.ts'

export interface RequestIdOptions {
  /** The most characters that are taken over. @default 128 */
  readonly longest?: number
  /** Makes an id where none comes in. @default uuidV7 */
  readonly generate?: () => string
}

const visibleAscii = /^[!-~]+$/

/**
 * The id of a request: that of its `X-Request-Id` field if it is well formed, of visible ASCII characters alone and not
 * too long; a new one if it is not, or is absent, or came several times. So it is safe to log and to send on.
 */
export function requestId(
  incoming: string | readonly string[] | undefined,
  { longest = 128, generate = uuidV7 }: RequestIdOptions = {},
): string {
  const acceptable = typeof incoming === 'string' && incoming.length <= longest && visibleAscii.test(incoming)
  return acceptable ? incoming : generate()
}
