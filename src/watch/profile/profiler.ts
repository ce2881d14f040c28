import { HttpError } from '../../http/errors/http-error.ts'
import type { OperationHandlers, ProfileInput } from '../diagnostics/diagnostic-operation.ts'
import { encodeProfile } from './encode-profile.ts'
import { type RecordedProfile, recordThreads } from './record-threads.ts'

/** Profiles that were recorded at the same time. */
interface RecordedProfiles {
  /** That of the main thread first. */
  readonly profiles: readonly RecordedProfile[]
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly seconds: number
}

/** Records profiles, one at a time: V8 has one sampling heap profile, and two of time would measure each other. */
export interface ProfileRecorder {
  /**
   * Records until `waitUntilEnd` resolves, for at most `input.seconds`. Rejects with an HttpError 409 if another
   * recording is in progress, 503 if the main thread is inside native code, or like `waitUntilEnd`.
   */
  record(input: ProfileInput, waitUntilEnd: () => Promise<unknown>): Promise<RecordedProfiles>
}

export function createProfileRecorder(): ProfileRecorder {
  let endsAt: number | undefined

  return {
    async record(input, waitUntilEnd) {
      if (endsAt !== undefined) throw inProgress(endsAt)
      endsAt = Date.now() + input.seconds * 1_000
      try {
        const startedAt = Date.now()
        const profiles = await recordThreads(input, waitUntilEnd)
        return { profiles, startedAt, seconds: (Date.now() - startedAt) / 1_000 }
      } catch (error) {
        throw isTimeout(error) ? inNativeCode() : error
      } finally {
        endsAt = undefined
      }
    },
  }
}

/** Creates the operation that records a profile and encodes it. */
export function createProfiler(recorder: ProfileRecorder): OperationHandlers['profile'] {
  return async (input, signal) => {
    const waitUntilEnd = () => wait(input.seconds * 1_000, signal)
    const { profiles, startedAt, seconds } = await recorder.record(input, waitUntilEnd)
    return { bytes: encodeProfile(profiles, input, startedAt, seconds) }
  }
}

/** Resolves after a duration; rejects with the reason of the signal when that aborts. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      if (signal.aborted) reject(signal.reason)
      else resolve()
    }
    const timer = setTimeout(end, milliseconds)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end)
  })
}

function inProgress(endsAt: number): HttpError {
  const seconds = Math.max(1, Math.ceil((endsAt - Date.now()) / 1_000))
  return new HttpError(409, `Another profile is in progress until ${new Date(endsAt).toISOString()}.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

function inNativeCode(): HttpError {
  return new HttpError(503, 'The main thread does not respond: it is inside native code. Repeat the request.')
}
