import { flameGraphScript, flameGraphStyle } from './flame-graph-script.ts'
import type { ProfileDescription, ProfileNode, ThreadProfile } from './read-profile.ts'

/** A function in the tree of a flame graph: its name, its value with that of those it calls, those, and its place. */
type FlameNode = [name: string, value: number, children: FlameNode[], place: string]

/**
 * Returns a page that draws profiles as a flame graph. Everything is in the page; `nonce` allows its style and its
 * script under a Content-Security-Policy without other sources.
 */
export function encodeFlameGraph(
  profiles: readonly ThreadProfile[],
  { unit, notes, valueType, seconds, startedAt }: ProfileDescription,
  nonce: string,
): Uint8Array {
  const threads = profiles.map(({ thread, nodes }) => threadNode(thread, nodes))
  const total = threads.reduce((sum, [, value]) => sum + value, 0)
  const data = JSON.stringify({ unit, root: ['all threads', total, threads, ''] })
  const title = `${valueType}, ${Math.round(seconds * 10) / 10} s from ${new Date(startedAt).toISOString()}`
  return Buffer.from(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Profile: ${title}</title>
<style nonce="${nonce}">${flameGraphStyle}</style>
<header>
<h1>${title}</h1>
<p>${notes.join(' ')} Idle time is not shown.</p>
<label>Search <input type="search" id="search"></label> <output id="found"></output>
</header>
<canvas id="graph" role="img" aria-label="Flame graph"></canvas>
<p id="place">&nbsp;</p>
<script type="application/json" id="data">${data.replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">${flameGraphScript}</script>
</html>
`)
}

/** Merges the nodes of a thread by function, below one node for the thread. */
function threadNode(thread: string, nodes: readonly ProfileNode[]): FlameNode {
  const root: FlameNode = [thread, 0, [], '']
  const merged = new Map<ProfileNode, FlameNode>()
  const known = new Map<FlameNode, Map<string, FlameNode>>([[root, new Map()]])
  for (const node of nodes) {
    const parent = (node.parent && merged.get(node.parent)) ?? root
    const { key, name, url, line } = node.frame
    const siblings = known.get(parent)
    const own: FlameNode = siblings?.get(key) ?? [name, 0, [], url === '' ? '' : `${url}:${line}`]
    if (siblings?.has(key) === false) {
      siblings.set(key, own)
      parent[2].push(own)
      known.set(own, new Map())
    }
    merged.set(node, own)
    for (let each: ProfileNode | undefined = node; each !== undefined; each = each.parent) {
      const counted = merged.get(each)
      if (counted !== undefined) counted[1] += node.value
    }
    root[1] += node.value
  }
  return root
}
