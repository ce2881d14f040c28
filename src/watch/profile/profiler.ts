import { HttpError } from '../../http/errors/http-error.ts'
import type { OperationHandlers } from '../diagnostics/diagnostic-operation.ts'
import { encodeProfile } from './encode-profile.ts'
import { recordThreads } from './record-threads.ts'

/**
 * Creates the operation that records a profile, one at a time: V8 has one sampling heap profile, and two profiles of
 * time would measure each other.
 */
export function createProfiler(): OperationHandlers['profile'] {
  let endsAt: number | undefined

  return async (input, signal) => {
    if (endsAt !== undefined) throw inProgress(endsAt)
    endsAt = Date.now() + input.seconds * 1_000
    try {
      const startedAt = Date.now()
      const profiles = await recordThreads(input, () => wait(input.seconds * 1_000, signal))
      return { bytes: encodeProfile(profiles, input, startedAt, (Date.now() - startedAt) / 1_000) }
    } catch (error) {
      throw isTimeout(error) ? inNativeCode() : error
    } finally {
      endsAt = undefined
    }
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
