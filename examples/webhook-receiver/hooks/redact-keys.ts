import type { IncomingMessage } from 'node:http'

/**
 * Replaces each segment of a path or another string that contains the key of a hook or most of one, also in capitals,
 * percent-encoded or truncated. A key allows posting.
 */
export function redactKeys(text: string): string {
  return text.replaceAll(/[^/?\s]+/g, (segment) => (/[a-z2-8]{20}/i.test(decode(segment)) ? 'REDACTED' : segment))
}

/** Whether a string contains the key of a hook, or most of one. */
export function holdsKey(text: string): boolean {
  return redactKeys(text) !== text
}

/** Redacts the target of a request that failed, before it is reported or repeated in an error document. */
export function redactTarget(request: IncomingMessage): void {
  request.url = redactKeys(request.url ?? '')
}

function decode(segment: string): string {
  return segment.replaceAll(/%([\da-f]{2})/gi, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16)))
}
