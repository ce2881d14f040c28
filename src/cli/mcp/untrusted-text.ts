import { hideCredentials } from '../../base/redaction.ts'

/** Not shown, but read by a model: controls, formats such as those of direction, tags, and ignorable characters. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu

const loneSurrogate = /\p{Cs}/gu

const lineEnd = /\r\n|[\n\r\u2028\u2029\u0085]/

/** The bytes of a line beyond which it is cut. */
const maxLineBytes = 2_000

/** A longer text is cut before it is searched for credentials. */
const maxLineLength = 8_000

/** Returns the lines of a string. */
export function linesOf(text: string): readonly string[] {
  return text.split(lineEnd)
}

/**
 * Returns a string of a service as one line without hidden characters and without credentials; `secrets` are those that
 * this process knows. Lone surrogates become U+FFFD.
 */
export function cleanLine(text: string, secrets: readonly string[] = []): string {
  const visible = text
    .slice(0, maxLineLength)
    .replace(/[\t\n\r]/g, ' ')
    .replace(hidden, '')
    .replace(loneSurrogate, '\ufffd')
  const shown = secrets.reduce((line, secret) => line.replaceAll(secret, '***'), visible)
  return cutBytes(hideCredentials(shown), maxLineBytes)
}

/** Returns as many characters as fit, with an ellipsis if some do not. */
function cutBytes(text: string, maximum: number): string {
  if (Buffer.byteLength(text) <= maximum) return text
  // A character that is cut in two is decoded as U+FFFD.
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, maximum)).replace(/\ufffd{1,3}$/, '')}…`
}
