/** Told once: that all was read, or that it was not, and by which error if there was one. */
type Ended = (isWhole: boolean, error?: unknown) => void

/**
 * A response that tells when its content has been read to the end, or is given up. Content that is there already stays in
 * one piece, so that the server goes on telling its length.
 */
export async function watchContent(response: Response, ended: Ended): Promise<Response> {
  const { body } = response
  // What somebody has read of is for the server to refuse.
  if (body === null || body.locked || response.bodyUsed) {
    ended(true)
    return response
  }
  const reader = body.getReader()
  const first = reader.read()
  const { result: piece } = await earlyResult(first)
  if (piece === undefined) return new Response(rest(reader, [first], ended), response)
  if (piece.done) return whole(undefined)
  const second = reader.read()
  const { result: end } = await earlyResult(second)
  return end?.done ? whole(piece.value) : new Response(rest(reader, [first, second], ended), response)

  function whole(content: Uint8Array | undefined): Response {
    ended(true)
    return new Response(content ?? null, response)
  }
}

type Piece = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>

/** What is read by the next turn of the event loop; nothing where that fails, too, which is for who reads on to see. */
function earlyResult(read: Promise<Piece>): Promise<{ readonly result?: Piece }> {
  return new Promise((resolve) => {
    read.then(
      (result) => resolve({ result }),
      () => resolve({}),
    )
    setImmediate(() => resolve({}))
  })
}

/** The rest of a content, of which some is being read already. */
function rest(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  begun: Promise<Piece>[],
  ended: Ended,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await (begun.shift() ?? reader.read())
          if (!done) return controller.enqueue(value)
          ended(true)
          controller.close()
        } catch (error) {
          ended(false, error)
          controller.error(error)
        }
      },
      cancel(reason) {
        ended(false)
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
