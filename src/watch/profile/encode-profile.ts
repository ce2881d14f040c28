import { HttpError } from '../../http/errors/http-error.ts'
import { encodeFolded } from './encode-folded.ts'
import { encodePprof } from './encode-pprof.ts'
import { encodeFlameGraph } from './flame-graph.ts'
import { describeProfile } from './profile-description.ts'
import type { ProfileInput } from './profile-operation.ts'
import { readProfile } from './profile-tree.ts'
import type { RecordedProfile } from './recording.ts'
import { sanitizeProfile } from './sanitize-profile.ts'

/**
 * Returns profiles in the format that was requested. `cpuprofile` contains only the first of them, as V8 recorded it,
 * idle time included: that of a heap is `.heapprofile`.
 */
export function encodeProfile(
  recorded: readonly RecordedProfile[],
  input: ProfileInput,
  startedAt: number,
  seconds: number,
): Uint8Array {
  const [first] = recorded
  if (first === undefined) throw new HttpError(503, 'The thread has ended.')
  if (input.format === 'cpuprofile') return Buffer.from(JSON.stringify(sanitizeProfile(first.profile)))
  const profiles = recorded.map(readProfile)
  const description = describeProfile(input, startedAt, seconds)
  if (input.format === 'pprof') return encodePprof(profiles, description)
  if (input.format === 'folded') return encodeFolded(profiles, description)
  return encodeFlameGraph(profiles, description, input.nonce)
}
