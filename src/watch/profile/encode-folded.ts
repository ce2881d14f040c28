import type { ProfileDescription } from './profile-description.ts'
import type { ProfileNode, ThreadProfile } from './profile-tree.ts'

/**
 * Encodes profiles as folded stacks: one line for each stack, outermost function first, which is the thread, then
 * microseconds or bytes. For `flamegraph.pl`, inferno and speedscope.
 */
export function encodeFolded(profiles: readonly ThreadProfile[], { unit }: ProfileDescription): Uint8Array {
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
