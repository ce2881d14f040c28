import { hideCredentials } from '../../base/redaction.ts'

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

/** What a receiver rejected of an export it responded to with 200. */
export interface PartialSuccess {
  readonly rejected: number
  readonly message: string
}

/**
 * Parses the partial success of an `ExportTraceServiceResponse` or `ExportMetricsServiceResponse`, which share field 1:
 * a message with a count in field 1 and a string in field 2. Returns `undefined` if absent or malformed.
 */
export function readPartialSuccess(response: Uint8Array): PartialSuccess | undefined {
  try {
    const inner = fieldsOf(response).find(({ field }) => field === 1)?.value
    if (!(inner instanceof Uint8Array)) return undefined
    let rejected = 0
    let message = ''
    for (const { field, value } of fieldsOf(inner)) {
      if (field === 1 && typeof value === 'number') rejected = value
      if (field === 2 && value instanceof Uint8Array) message = new TextDecoder().decode(value)
    }
    return rejected === 0 && message === '' ? undefined : { rejected, message }
  } catch {
    return undefined
  }
}

/** Returns field 2 of a `google.rpc.Status`, its message; `undefined` if absent or malformed. */
function readStatusMessage(response: Uint8Array): string | undefined {
  try {
    const value = fieldsOf(response).find(({ field }) => field === 2)?.value
    return value instanceof Uint8Array ? new TextDecoder().decode(value) : undefined
  } catch {
    return undefined
  }
}

interface Field {
  readonly field: number
  readonly value: number | Uint8Array
}

/** Protocol Buffers, "Encoding": a field is a tag (number and wire type) and a value. */
function fieldsOf(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = []
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++]
      if (byte === undefined) throw new RangeError('truncated')
      value += (byte & 0x7f) * factor
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError('truncated')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = varint()
    const field = Math.floor(tag / 8)
    switch (tag % 8) {
      case 0:
        fields.push({ field, value: varint() })
        break
      case 1:
        fields.push({ field, value: take(8) })
        break
      case 2:
        fields.push({ field, value: take(varint()) })
        break
      case 5:
        fields.push({ field, value: take(4) })
        break
      default:
        throw new RangeError('unknown wire type')
    }
  }
  return fields
}
