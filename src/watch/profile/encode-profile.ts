import { HttpError } from '../../http/errors/http-error.ts'
import type { ProfileInput } from '../diagnostics/diagnostic-operation.ts'
import { encodePprof } from './encode-pprof.ts'
import { encodeFlameGraph } from './flame-graph.ts'
import {
  describeProfile,
  type ProfileDescription,
  type ProfileNode,
  readProfile,
  type ThreadProfile,
} from './read-profile.ts'
import type { RecordedProfile } from './record-threads.ts'
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

/**
 * Encodes profiles as folded stacks: one line for each stack, outermost function first, which is the thread, then
 * microseconds or bytes. For `flamegraph.pl`, inferno and speedscope.
 */
function encodeFolded(profiles: readonly ThreadProfile[], { unit }: ProfileDescription): Uint8Array {
  const divisor = unit === 'nanoseconds' ? 1_000 : 1
  const totals = new Map<string, number>()
  for (const { thread, nodes } of profiles) {
    for (const node of nodes) {
      if (node.value <= 0) continue
      const stack = [escapeFrame(thread), ...stackOf(node)].join(';')
      totals.set(stack, (totals.get(stack) ?? 0) + node.value / divisor)
    }
  }
  return Buffer.from([...totals].map(([stack, value]) => `${stack} ${Math.round(value)}\n`).join(''))
}

function stackOf(node: ProfileNode): readonly string[] {
  const frames: string[] = []
  for (let each: ProfileNode | undefined = node; each !== undefined; each = each.parent) {
    const { name, url, line } = each.frame
    frames.unshift(escapeFrame(url === '' ? name : `${name} (${url}:${line})`))
  }
  return frames
}

/** A semicolon or a line break would begin another frame or stack. */
function escapeFrame(frame: string): string {
  return frame.replaceAll(/[;\r\n]/g, ',')
}
