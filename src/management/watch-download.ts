import { isHttpError } from '../http/errors/http-error.ts'
import { isRanged, isStream, type Offer, type Representation } from '../http/representation.ts'

/** How an operation ended. */
export interface DownloadOutcome {
  readonly isComplete: boolean
  /** The status of the response to a failure; `undefined` if it broke off. */
  readonly status: number | undefined
}

const complete: DownloadOutcome = { isComplete: true, status: undefined }
const brokenOff: DownloadOutcome = { isComplete: false, status: undefined }

/**
 * Returns the same representation. Calls `ended` once: when its content has been read to the end, fails, or is
 * abandoned because the client disconnected, which aborts the signal.
 */
export function watchDownload(
  { cachedResponses: _, ...representation }: Representation,
  signal: AbortSignal,
  ended: (outcome: DownloadOutcome) => void,
): Representation {
  const watchOffer = ({ mediaType, render }: Offer): Offer => ({
    mediaType,
    render: (selection) => {
      const content = renderOrEnd(() => render(selection), ended)
      if (isStream(content)) return watchChunks(content, signal, ended)
      if (!isRanged(content) || content.size === 0) {
        ended(complete)
        return content
      }
      const { size, entityTag } = content
      // Not spread: `read` may be a method.
      const read = (first: number, last: number) => watchChunks(content.read(first, last), signal, ended)
      return { size, entityTag, read }
    },
  })
  const [first, ...others] = representation.offers
  return { ...representation, offers: [watchOffer(first), ...others.map(watchOffer)] }
}

function renderOrEnd<Content>(render: () => Content, ended: (outcome: DownloadOutcome) => void): Content {
  try {
    return render()
  } catch (error) {
    ended({ isComplete: false, status: statusOf(error) })
    throw error
  }
}

/** Returns the same chunks. The signal ends content that is not read any more. */
function watchChunks<Chunk extends Uint8Array | string>(
  chunks: AsyncIterable<Chunk>,
  signal: AbortSignal,
  ended: (outcome: DownloadOutcome) => void,
): AsyncIterable<Chunk> {
  let isEnded = false
  const end = (outcome: DownloadOutcome): void => {
    if (isEnded) return
    isEnded = true
    signal.removeEventListener('abort', abandon)
    ended(outcome)
  }
  const abandon = (): void => end(brokenOff)
  signal.addEventListener('abort', abandon)
  if (signal.aborted) abandon()

  async function* read(): AsyncGenerator<Chunk> {
    let isBegun = false
    try {
      for await (const chunk of chunks) {
        isBegun = true
        yield chunk
      }
      end(complete)
    } catch (error) {
      end(isBegun || signal.aborted ? brokenOff : { isComplete: false, status: statusOf(error) })
      throw error
    } finally {
      abandon()
    }
  }
  return { [Symbol.asyncIterator]: read }
}

/** Returns the status of the response to an error. */
export function statusOf(error: unknown): number {
  return isHttpError(error) ? error.status : 500
}
