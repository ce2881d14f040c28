/** The size of a chunk, unless a single field is larger. */
export const chunkBytes = 65_536

/** Up to this length, a loop over bytes takes less time than a call of `Uint8Array.set`. */
const shortBytes = 64

/** The bytes of a message that is being written, in chunks, and the encodings of single values. */
export class ProtobufBuffer {
  protected chunk: Buffer = emptyChunk
  protected view: DataView = emptyView
  /** The index of the next byte in the chunk. */
  protected position = 0
  /** The number of bytes in full chunks. */
  protected before = 0
  #full: Uint8Array[] = []
  readonly #spare: ArrayBufferLike[] = []
  /** Of the chunks that are in several pieces: how many pieces are still used besides one. */
  readonly #shared = new WeakMap<ArrayBufferLike, number>()

  /** Copies fields that are encoded already: the bytes from `start` to `end`. */
  raw(value: Uint8Array, start = 0, end: number = value.length): void {
    const length = end - start
    this.reserve(length)
    const { chunk, position } = this
    if (length > shortBytes) chunk.set(length === value.length ? value : value.subarray(start, end), position)
    else for (let index = 0; index < length; index++) chunk[position + index] = value[start + index] as number
    this.position = position + length
  }

  /** Copies fields that are encoded already, with these doubles instead of the eight bytes at each offset. */
  rawWithDoubles(value: Uint8Array, offsets: ArrayLike<number>, doubles: ArrayLike<number>): void {
    this.reserve(value.length)
    const { view, position } = this
    this.chunk.set(value, position)
    for (let index = 0; index < offsets.length; index++) {
      view.setFloat64(position + (offsets[index] as number), doubles[index] as number, true)
    }
    this.position = position + value.length
  }

  /**
   * Reuses the memory of pieces that `take` has returned. The caller gives each back once and does not use it any more.
   */
  reuse(pieces: readonly Uint8Array[]): void {
    for (const { buffer } of pieces) {
      const others = this.#shared.get(buffer) ?? 0
      if (others > 0) this.#shared.set(buffer, others - 1)
      else if (buffer.byteLength === chunkBytes) this.#spare.push(buffer)
    }
  }

  /** Reserves contiguous bytes from `position` on. */
  protected reserve(bytes: number): void {
    if (this.chunk.length - this.position >= bytes) return
    this.#finishChunk()
    const spare = bytes <= chunkBytes ? this.#spare.pop() : undefined
    const buffer = spare ?? Buffer.allocUnsafeSlow(Math.max(bytes, chunkBytes)).buffer
    this.chunk = Buffer.from(buffer)
    this.view = new DataView(buffer)
  }

  protected takeAll(): readonly Uint8Array[] {
    this.#finishChunk()
    const full = this.#full
    this.#full = []
    this.before = 0
    return full
  }

  /**
   * Replaces some bytes, all in one chunk, by a varint. They are at an index of all that was written, and nothing is
   * moved for it.
   */
  protected replaceBytes(index: number, count: number, value: number): void {
    this.#finishChunk()
    let at = this.#full.length
    let start = this.before
    while (start > index) {
      at -= 1
      start -= (this.#full[at] as Uint8Array).length
    }
    const chunk = this.#full[at] as Uint8Array
    const varint = encodedVarint(value)
    const all = [chunk.subarray(0, index - start), varint, chunk.subarray(index - start + count)]
    const parts = all.filter((part) => part.length > 0)
    if (parts.length === all.length) this.#shared.set(chunk.buffer, (this.#shared.get(chunk.buffer) ?? 0) + 1)
    this.#full.splice(at, 1, ...parts)
    this.before += varint.length - count
  }

  /** Writes an integer from 0 to 2^53 − 1 in groups of seven bits. */
  protected putVarint(value: number): void {
    const { chunk } = this
    let { position } = this
    if (value < 0x80) {
      chunk[position] = value
      this.position = position + 1
      return
    }
    let rest = value
    while (rest >= 0x80000000) {
      chunk[position++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    let low = rest | 0
    while (low >= 0x80) {
      chunk[position++] = (low & 0x7f) | 0x80
      low >>>= 7
    }
    chunk[position++] = low
    this.position = position
  }

  /** Writes 64 bits of two's complement in groups of seven, which for a negative integer are ten. */
  protected putNegativeVarint(value: number): void {
    let high = Math.floor(value / 0x1_0000_0000)
    let low = (value - high * 0x1_0000_0000) | 0
    for (let index = 0; index < 9; index++) {
      this.chunk[this.position++] = (low & 0x7f) | 0x80
      low = (low >>> 7) | (high << 25)
      high >>= 7
    }
    this.chunk[this.position++] = 1
  }

  /** Writes 2n for n ≥ 0, else −2n − 1. Neither is computed: both can be greater than 2^53. */
  protected putZigzag(value: number): void {
    if (value < 0x40 && value >= -0x40) {
      this.chunk[this.position++] = value < 0 ? -2 * value - 1 : 2 * value
      return
    }
    const sign = value < 0 ? 1 : 0
    const magnitude = sign === 1 ? -1 - value : value
    this.chunk[this.position++] = ((magnitude % 0x40) * 2 + sign) | 0x80
    this.putVarint(Math.floor(magnitude / 0x40))
  }

  protected putDouble(value: number): void {
    this.view.setFloat64(this.position, value, true)
    this.position += 8
  }

  protected putFixed32(value: number): void {
    this.view.setUint32(this.position, value, true)
    this.position += 4
  }

  protected putFixed64(value: number): void {
    const high = Math.floor(value / 0x1_0000_0000)
    this.putHalves(high, value - high * 0x1_0000_0000)
  }

  protected putHalves(high: number, low: number): void {
    this.view.setUint32(this.position, low, true)
    this.view.setUint32(this.position + 4, high, true)
    this.position += 8
  }

  #finishChunk(): void {
    if (this.position > 0) {
      this.#full.push(this.chunk.subarray(0, this.position))
      this.before += this.position
    }
    this.position = 0
    this.chunk = emptyChunk
    this.view = emptyView
  }
}

const emptyChunk = /* @__PURE__ */ Buffer.alloc(0)
const emptyView = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(0))

function encodedVarint(value: number): Uint8Array {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80)
  return Uint8Array.from([...bytes, rest])
}

/** Returns how many bytes a varint takes. */
export function varintLength(value: number): number {
  if (value < 0x80) return 1
  if (value < 0x4000) return 2
  let length = 3
  for (let rest = Math.floor(value / 0x200000); rest > 0; rest = Math.floor(rest / 0x80)) length += 1
  return length
}

/** Writes the code of each character as one byte. Returns the bitwise OR of the codes: below 0x80 for ASCII only. */
export function putCodes(bytes: Uint8Array, start: number, text: string): number {
  let all = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    bytes[start + index] = code
    all |= code
  }
  return all
}
