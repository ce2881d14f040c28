/** Two views of the same bytes. */
interface Chunk {
  readonly bytes: Buffer
  readonly view: DataView
}

/** Strings are joined up to this length before they are encoded, which takes less time than one by one. */
const batchLength = 8192

/** Collects strings as UTF-8 in chunks of a given size. A lone surrogate becomes U+FFFD. */
export class ByteChunks {
  /** The index of the next byte in the chunk that `reserve` returned. Code that writes there advances it. */
  position = 0
  /** The number of bytes in full chunks. */
  full = 0
  #text = ''
  #chunk = createChunk(0)
  #done: Uint8Array[] = []
  readonly #spare: ArrayBufferLike[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  /** Adds a string. It is encoded at the latest by the next `append`, `reserve` or `take`. */
  write(text: string): void {
    this.#text += text
    if (this.#text.length >= batchLength) this.#encode()
  }

  /**
   * Adds a string and encodes all that is pending. Returns the number of bytes of the string, which end at `position`.
   */
  append(text: string): number {
    this.#text += text
    return this.#encode() ? text.length : Buffer.byteLength(text)
  }

  /** Reserves contiguous bytes. Returns their chunk, which can be written to from `position` on. */
  reserve(bytes: number): Chunk {
    if (this.#text !== '') this.#encode()
    if (this.#chunk.bytes.length - this.position < bytes) this.#begin(bytes)
    return this.#chunk
  }

  /** Removes and returns the full chunks; with `rest`, also the last one. */
  take(rest: boolean): readonly Uint8Array[] {
    if (rest) this.#begin(0)
    const done = this.#done
    this.#done = []
    this.full = 0
    return done
  }

  /** Reuses the memory of a chunk: new memory for each takes the system and the garbage collector longer. */
  reuse({ buffer }: Uint8Array): void {
    if (buffer.byteLength === this.#size) this.#spare.push(buffer)
  }

  /** Encodes what is pending. Returns whether each character was one byte. */
  #encode(): boolean {
    const text = this.#text
    this.#text = ''
    // A UTF-16 code unit takes at most three bytes; they are counted only near the end of a chunk.
    const room = this.#chunk.bytes.length - this.position
    if (room < text.length * 3) {
      const length = Buffer.byteLength(text)
      if (room < length) this.#begin(length)
    }
    const written = this.#chunk.bytes.write(text, this.position)
    this.position += written
    return written === text.length
  }

  #begin(bytes: number): void {
    if (this.#text !== '') this.#encode()
    if (this.position > 0) {
      this.#done.push(this.#chunk.bytes.subarray(0, this.position))
      this.full += this.position
    }
    this.position = 0
    const spare = bytes > 0 && bytes <= this.#size ? this.#spare.pop() : undefined
    this.#chunk = spare === undefined ? createChunk(bytes === 0 ? 0 : Math.max(bytes, this.#size)) : chunkOf(spare)
  }
}

function createChunk(length: number): Chunk {
  return chunkOf(Buffer.allocUnsafeSlow(length).buffer)
}

function chunkOf(buffer: ArrayBufferLike): Chunk {
  return { bytes: Buffer.from(buffer), view: new DataView(buffer) }
}
