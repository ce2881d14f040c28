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
 * still be sent. With `isBorrowed` memory is reused from the start, and copied for readers that do not borrow.
 */
export async function readFirstChunk(content: Chunks, isBorrowed: boolean): Promise<StreamedContent> {
  const borrowed = isBorrowed ? content.borrow?.() : undefined
  const chunks = (borrowed ?? content)[Symbol.asyncIterator]()
  const first = await chunks.next()
  const all = () => resume(first, chunks)
  return borrowed === undefined
    ? { [Symbol.asyncIterator]: all }
    : { [Symbol.asyncIterator]: () => copy(all()), borrow: all }
}

async function* resume(
  first: IteratorResult<Uint8Array | string>,
  chunks: AsyncIterator<Uint8Array | string>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let step = first; step.done !== true; step = await chunks.next()) {
      yield typeof step.value === 'string' ? Buffer.from(step.value) : step.value
    }
  } finally {
    await chunks.return?.()
  }
}

async function* copy(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk)
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

async function* watch(chunks: AsyncIterable<Uint8Array>, failed: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    failed(error)
    throw error
  }
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

  constructor(chunks: AsyncIterator<Uint8Array | string>, signal: AbortSignal, ended: () => void) {
    this.#chunks = chunks
    this.#signal = signal
    this.#ended = ended
  }

  /** Not `Promise.race`, which would add a reaction per chunk to a promise that outlives them. */
  next(): Promise<IteratorResult<Uint8Array | string>> {
    if (this.#signal.aborted) return this.return()
    return new Promise((resolve, reject) => {
      const end = () => resolve(this.return())
      this.#signal.addEventListener('abort', end, { once: true })
      this.#chunks.next().then(
        (step) => {
          this.#signal.removeEventListener('abort', end)
          if (step.done === true) this.#ended()
          resolve(step)
        },
        (error: unknown) => {
          this.#signal.removeEventListener('abort', end)
          this.#ended()
          reject(error)
        },
      )
    })
  }

  /** Does not wait for a generator that is in the middle of an `await`. */
  async return(): Promise<IteratorResult<Uint8Array | string>> {
    this.#ended()
    this.#chunks.return?.().catch(() => {})
    return { done: true, value: undefined }
  }
}
