import { HttpError } from '../../http/errors/http-error.ts'
import type { RecordedProfile } from './recording.ts'
import { sanitizeProfile } from './sanitize-profile.ts'

/** Returns a profile in the format that was requested. */
export function encodeProfile(profiles: readonly RecordedProfile[]): Uint8Array {
  const [first] = profiles
  if (first === undefined) throw new HttpError(503, 'The thread has ended.')
  return Buffer.from(JSON.stringify(sanitizeProfile(first.profile)))
}
