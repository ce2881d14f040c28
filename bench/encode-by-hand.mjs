// Encodes spans and counters as protobuf of OTLP by hand, and only those that the benchmarks have: the limit with which
// upkeep is compared. Times are in milliseconds, ids are hexadecimal text.

const startedAt = BigInt(Date.now()) * 1_000_000n
const bytes = Buffer.allocUnsafe(8 * 2 ** 20)
/** How many bytes the length of a message takes, which is known after it has been written. */
const lengthBytes = 4
let at = 0

/** Returns an ExportTraceServiceRequest: resource spans (1) with scope spans (2) with spans (2). */
export function encodeSpans(spans) {
  at = 0
  const [resource, scope] = [begin(0x0a), begin(0x12)]
  for (const span of spans) {
    const start = begin(0x12)
    writeId(0x0a, span.traceId)
    writeId(0x12, span.spanId)
    if (span.parentId !== undefined) writeId(0x22, span.parentId)
    writeText(0x2a, span.name)
    bytes[at++] = 0x30
    bytes[at++] = 3
    writeTime(0x39, span.startedAt)
    writeTime(0x41, span.endedAt)
    for (const key in span.attributes) writeAttribute(0x4a, key, span.attributes[key])
    end(start)
  }
  end(scope)
  end(resource)
  return Buffer.from(bytes.subarray(0, at))
}

/** Writes the nanoseconds of a time in milliseconds. */
function writeTime(tag, milliseconds) {
  bytes[at++] = tag
  const nanoseconds = milliseconds * 1e6
  const high = Math.floor(nanoseconds / 2 ** 32)
  at = bytes.writeUInt32LE(nanoseconds - high * 2 ** 32, at)
  at = bytes.writeUInt32LE(high, at)
}

function writeAttribute(tag, key, value) {
  const attribute = begin(tag)
  writeText(0x0a, key)
  const content = begin(0x12)
  if (typeof value === 'string') writeText(0x0a, value)
  else writeVarint(0x18, value)
  end(content)
  end(attribute)
}

function tagged(tag) {
  bytes[at++] = tag
  return at
}

function writeId(tag, text) {
  bytes[at++] = tag
  bytes[at++] = text.length / 2
  at += bytes.hexWrite(text, at)
}

/** Writes the tag of a message, and reserves the bytes of its length. */
function begin(tag) {
  bytes[at++] = tag
  at += lengthBytes
  return at
}

/** Writes the length of the message that began at a position, with leading bits that mean 0. */
function end(start) {
  const length = at - start
  for (let byte = 0; byte < lengthBytes; byte += 1) {
    bytes[start - lengthBytes + byte] = ((length >>> (7 * byte)) & 0x7f) | (byte < lengthBytes - 1 ? 0x80 : 0)
  }
}

function writeText(tag, text) {
  bytes[at++] = tag
  // Short texts in ASCII, of which the length takes one byte.
  bytes[at] = bytes.latin1Write(text, at + 1)
  at += bytes[at] + 1
}

function writeVarint(tag, value) {
  bytes[at++] = tag
  for (let rest = value; ; rest >>>= 7) {
    bytes[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
    if (rest <= 0x7f) return
  }
}

/** Returns an ExportMetricsServiceRequest: resource metrics (1), scope metrics (2), a metric (2), a sum (7). */
export function encodeCounters(some, points) {
  at = 0
  const open = [begin(0x0a), begin(0x12), begin(0x12)]
  writeText(0x0a, 'orders.placed')
  open.push(begin(0x3a))
  const start = at
  at += points.bytes.copy(bytes, at)
  const now = BigInt(Date.now()) * 1_000_000n
  for (let row = 0; row < some.length; row += 1) {
    const value = start + points.values[row]
    bytes.writeBigUInt64LE(now, value - 9)
    bytes.writeDoubleLE(some[row].value, value)
  }
  bytes[at++] = 0x10
  bytes[at++] = 2
  for (const message of open.reverse()) end(message)
  return Buffer.from(bytes.subarray(0, at))
}

/** Encodes what does not change of counters: returns it, and where the value of each is. */
export function encodePoints(some) {
  at = 0
  const values = new Uint32Array(some.length)
  for (let row = 0; row < some.length; row += 1) {
    const point = begin(0x0a)
    const { tags } = some[row]
    for (const key in tags) writeAttribute(0x3a, key, tags[key])
    at = bytes.writeBigUInt64LE(startedAt, tagged(0x11))
    at = tagged(0x19) + 8
    values[row] = tagged(0x21)
    at += 8
    end(point)
  }
  return { bytes: Buffer.from(bytes.subarray(0, at)), values }
}
