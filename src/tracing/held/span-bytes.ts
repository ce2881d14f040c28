import { textBytes } from '../../base/text-bytes.ts'
import type { RecordedAttributes, RecordedValue } from '../spans/attributes.ts'
import type { EndedSpan } from '../spans/span-recorder.ts'

/** Of a span with its ids and its view, and of the parts of one; measured with V8 on 64 bits, rounded up. */
const spanBytes = 640
const attributeBytes = 48
const eventBytes = 192
const linkBytes = 320

/** Estimates the memory of an ended span. */
export function bytesOfSpan({ name, attributes, events, links, status: { message = '' } }: EndedSpan): number {
  let bytes = spanBytes + textBytes(name) + textBytes(message) + bytesOfAttributes(attributes)
  for (const event of events) bytes += eventBytes + textBytes(event.name) + bytesOfAttributes(event.attributes)
  for (const link of links) bytes += linkBytes + bytesOfAttributes(link.attributes ?? {})
  return bytes
}

function bytesOfAttributes(attributes: RecordedAttributes): number {
  let bytes = 0
  for (const key in attributes) bytes += attributeBytes + textBytes(key) + bytesOfValue(attributes[key])
  return bytes
}

function bytesOfValue(value: RecordedValue | null | undefined): number {
  if (typeof value === 'string') return textBytes(value)
  if (!Array.isArray(value)) return 16
  let bytes = 32
  for (const each of value) bytes += 8 + bytesOfValue(each)
  return bytes
}
