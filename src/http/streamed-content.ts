/** Content that is made in slices, as somebody reads it. */
export interface StreamedContent extends AsyncIterable<Uint8Array> {
  /**
   * The same, for who is done with a chunk when it asks for the next: the memory of a chunk is then used again, which on a
   * long page saves half the time. To be read once, in this way or the other.
   */
  borrow?(): AsyncIterable<Uint8Array>
}

/**
 * Resolves with the same content once its first chunk is made; rejects when that fails, while the response can still be
 * another one. `isLent` says that the reader may lend: its memory is then borrowed from the start, and copied for a reader
 * that does not.
 */
export async function begin(content: StreamedContent, isLent: boolean): Promise<StreamedContent> {
  const lent = isLent ? content.borrow?.() : undefined
  const chunks = (lent ?? content)[Symbol.asyncIterator]()
  const first = await chunks.next()
  const all = () => resume(first, chunks)
  return lent === undefined
    ? { [Symbol.asyncIterator]: all }
    : { [Symbol.asyncIterator]: () => copy(all()), borrow: all }
}

async function* resume(
  first: IteratorResult<Uint8Array>,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let step = first; step.done !== true; step = await chunks.next()) yield step.value
  } finally {
    await chunks.return?.()
  }
}

async function* copy(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) yield Uint8Array.from(chunk)
}

/** What streams fails when the answer is on its way: nobody is left to catch that but who puts it on the wire. */
export function watched(content: StreamedContent, failed: (error: unknown) => void): StreamedContent {
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
