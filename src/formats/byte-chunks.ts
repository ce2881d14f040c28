/** Text gathered as UTF-8 in chunks of a given size. A lone surrogate becomes U+FFFD. */
export interface ByteChunks {
  /** Adds text; it is in no chunk before the next `reserve` or `take`. */
  write(text: string): void
  /** Makes room for so many bytes in one piece and hands out the chunk that has it, to be written to from `position` on. */
  reserve(bytes: number): Buffer
  /** Where the next byte goes in the chunk that `reserve` handed out; whoever writes there moves it on. */
  position: number
  /** How many bytes are ready in full chunks. */
  readonly full: number
  /** Takes out what is full; with `rest`, what is begun as well. */
  take(rest: boolean): readonly Uint8Array[]
}

/** Pieces of text are joined up to this length before they are turned into bytes, which is cheaper than one by one. */
const batchLength = 8192

export function createByteChunks(size: number): ByteChunks {
  return new Chunks(size)
}

class Chunks implements ByteChunks {
  position = 0
  full = 0
  #text = ''
  #chunk = Buffer.alloc(0)
  #done: Uint8Array[] = []
  readonly #size: number

  constructor(size: number) {
    this.#size = size
  }

  write(text: string): void {
    this.#text += text
    if (this.#text.length >= batchLength) this.#encode()
  }

  reserve(bytes: number): Buffer {
    if (this.#text !== '') this.#encode()
    if (this.#chunk.length - this.position < bytes) this.#begin(bytes)
    return this.#chunk
  }

  take(rest: boolean): readonly Uint8Array[] {
    if (rest) this.#begin(0)
    const done = this.#done
    this.#done = []
    this.full = 0
    return done
  }

  #encode(): void {
    const text = this.#text
    this.#text = ''
    // A UTF-16 code unit takes at most three bytes; only near the end of a chunk is it worth counting them.
    const room = this.#chunk.length - this.position
    if (room < text.length * 3) {
      const length = Buffer.byteLength(text)
      if (room < length) this.#begin(length)
    }
    this.position += this.#chunk.write(text, this.position)
  }

  #begin(bytes: number): void {
    if (this.#text !== '') this.#encode()
    if (this.position > 0) {
      this.#done.push(this.#chunk.subarray(0, this.position))
      this.full += this.position
    }
    this.position = 0
    this.#chunk = bytes === 0 ? Buffer.alloc(0) : Buffer.allocUnsafeSlow(Math.max(bytes, this.#size))
  }
}
