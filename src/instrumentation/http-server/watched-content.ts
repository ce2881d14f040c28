/** Called once: with whether the content was read completely, and the error if one occurred. */
type Ended = (isWhole: boolean, error?: unknown) => void

/**
 * Returns a response that reports when its content was read to the end or cancelled. Content that is available at once
 * stays in one piece, so that the server can still send its length.
 */
export async function watchContent(response: Response, ended: Ended): Promise<Response> {
  const { body } = response
  // The server rejects a content that was partly read.
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

/** Returns the result of a read within this turn of the event loop. Failures are left to later readers. */
function earlyResult(read: Promise<Piece>): Promise<{ readonly result?: Piece }> {
  return new Promise((resolve) => {
    read.then(
      (result) => resolve({ result }),
      () => resolve({}),
    )
    setImmediate(() => resolve({}))
  })
}

/** Streams the rest of a content, some of which is already being read. */
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
