/** Content that is made in slices, as somebody reads it. */
export interface StreamedContent extends AsyncIterable<Uint8Array> {
  /**
   * The same, for who is done with a chunk when it asks for the next: the memory of a chunk is then used again, which on a
   * long page saves half the time. To be read once, in this way or the other.
   */
  lend?(): AsyncIterable<Uint8Array>
}

/** What streams fails when the answer is on its way: nobody is left to catch that but who puts it on the wire. */
export function watched(content: StreamedContent, failed: (error: unknown) => void): StreamedContent {
  return {
    [Symbol.asyncIterator]: () => watch(content, failed),
    lend: () => watch(content.lend?.() ?? content, failed),
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
