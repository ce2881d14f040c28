/** Content that is created chunk by chunk, as it is read. */
export interface StreamedContent extends AsyncIterable<Uint8Array> {
  /**
   * Returns the same chunks, for a reader that has finished with a chunk when it requests the next. The memory of a
   * chunk is then reused, which halves the time for a long page. Content can be read only once, with either method.
   */
  borrow?(): AsyncIterable<Uint8Array>
}

/** Content as a resource returns it; strings are encoded as UTF-8. */
type Chunks = AsyncIterable<Uint8Array | string> & Pick<StreamedContent, 'borrow'>

/**
 * Resolves with the same content when its first chunk is available; rejects if that fails, while another response can
 * still be sent. With `isBorrowed` memory is reused from the start, and copied for readers that do not borrow. The
 * content ends when `signal` aborts, also if it is not read.
 */
export async function readFirstChunk(
  content: Chunks,
  isBorrowed: boolean,
  signal: AbortSignal,
): Promise<StreamedContent> {
  const borrowed = isBorrowed ? content.borrow?.() : undefined
  const chunks = (borrowed ?? content)[Symbol.asyncIterator]()
  const first = await chunks.next()
  const end = () => void chunks.return?.().catch(() => {})
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  const all = () => resume(first, chunks)
  return borrowed === undefined
    ? { [Symbol.asyncIterator]: all }
    : { [Symbol.asyncIterator]: () => copy(all()), borrow: all }
}

type ChunkIterator = AsyncIterableIterator<Uint8Array>

function resume(first: IteratorResult<Uint8Array | string>, chunks: AsyncIterator<Uint8Array | string>): ChunkIterator {
  let begun: typeof first | undefined = first
  return endable(
    async () => {
      const step = begun ?? (await chunks.next())
      begun = undefined
      if (step.done === true) return step
      return { value: typeof step.value === 'string' ? Buffer.from(step.value) : step.value }
    },
    () => chunks.return?.(),
  )
}

function copy(chunks: ChunkIterator): ChunkIterator {
  return endable(
    async () => {
      const step = await chunks.next()
      return step.done === true ? step : { value: Uint8Array.from(step.value) }
    },
    () => chunks.return?.(),
  )
}

/**
 * Returns the same content. Calls `failed` if it throws while it is sent, when no other response is possible any more.
 */
export function reportFailure(content: StreamedContent, failed: (error: unknown) => void): StreamedContent {
  return {
    [Symbol.asyncIterator]: () => watch(content, failed),
    borrow: () => watch(content.borrow?.() ?? content, failed),
  }
}

function watch(content: AsyncIterable<Uint8Array>, failed: (error: unknown) => void): ChunkIterator {
  const chunks = content[Symbol.asyncIterator]()
  return endable(
    async () => {
      try {
        return await chunks.next()
      } catch (error) {
        failed(error)
        throw error
      }
    },
    () => chunks.return?.(),
  )
}

/**
 * Creates an iterator that calls `end` when it is ended before its last chunk. A generator would not if it is ended
 * before its first, and would leave a file open.
 */
export function endable(next: ChunkIterator['next'], end: () => Promise<unknown> | undefined): ChunkIterator {
  const iterator: ChunkIterator = {
    next,
    async return() {
      await end()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => iterator,
  }
  return iterator
}

/**
 * Returns the same content, which ends when the signal aborts: at once, without waiting for the chunk that is being
 * created. Calls `ended` once, however it ends.
 */
export function endOnAbort(
  content: Chunks,
  signal: AbortSignal,
  ended: () => void,
): AsyncIterable<Uint8Array | string> {
  return { [Symbol.asyncIterator]: () => new EndedOnAbort(content[Symbol.asyncIterator](), signal, ended) }
}

class EndedOnAbort implements AsyncIterator<Uint8Array | string> {
  readonly #chunks: AsyncIterator<Uint8Array | string>
  readonly #signal: AbortSignal
  readonly #ended: () => void
  /** Ends the read that waits for a chunk. */
  #interrupt: (() => void) | undefined = undefined
  readonly #abort = () => this.#interrupt?.()

  constructor(chunks: AsyncIterator<Uint8Array | string>, signal: AbortSignal, ended: () => void) {
    this.#chunks = chunks
    this.#signal = signal
    this.#ended = ended
    signal.addEventListener('abort', this.#abort, { once: true })
  }

  /** Not `Promise.race`, which would add a reaction per chunk to a promise that outlives them. */
  next(): Promise<IteratorResult<Uint8Array | string>> {
    if (this.#signal.aborted) return this.return()
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve(this.return())
      this.#chunks.next().then(
        (step) => {
          this.#interrupt = undefined
          if (step.done === true) this.#end()
          resolve(step)
        },
        (error: unknown) => {
          this.#end()
          reject(error)
        },
      )
    })
  }

  /** Does not wait for a generator that is in the middle of an `await`. */
  async return(): Promise<IteratorResult<Uint8Array | string>> {
    this.#end()
    this.#chunks.return?.().catch(() => {})
    return { done: true, value: undefined }
  }

  #end(): void {
    this.#interrupt = undefined
    this.#signal.removeEventListener('abort', this.#abort)
    this.#ended()
  }
}
