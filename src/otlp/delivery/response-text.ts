import { hideCredentials } from '../../base/redaction.ts'
import { readStatusMessage } from './partial-success.ts'

/** Maximum number of bytes read of a response for a report. */
export const maxReadBytes = 4_096

const longestShown = 300

/**
 * Returns the response text of a refused export: one line of at most 300 characters, without credentials and `secrets`.
 * It is the message of a `google.rpc.Status` in Protocol Buffers or JSON, the title of an HTML page, or else the
 * content.
 */
export function responseText(body: Uint8Array, contentType: string, secrets: readonly string[]): string {
  const text = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), messageIn(body, contentType))
  const line = hideCredentials(oneLine(text))
  return line.length > longestShown ? `${line.slice(0, longestShown)}…` : line
}

function messageIn(body: Uint8Array, contentType: string): string {
  if (contentType.includes('protobuf')) return readStatusMessage(body) ?? ''
  const text = new TextDecoder().decode(body)
  if (contentType.includes('html')) return /<title>([^<]{1,300})/i.exec(text)?.[1] ?? ''
  return contentType.includes('json') ? (jsonMessage(text) ?? text) : text
}

function jsonMessage(text: string): string | undefined {
  try {
    const { message, error } = JSON.parse(text)
    return [message, error].find((value) => typeof value === 'string')
  } catch {
    return undefined
  }
}

/** Replaces control characters and line breaks by spaces. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}\s]+/gu, ' ').trim()
}
