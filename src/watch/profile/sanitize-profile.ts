import type { HeapProfiler, Profiler, Runtime } from 'node:inspector'

/**
 * Returns the URL of a script without what may be secret: its query and fragment, and the source that a `data:` URL
 * consists of.
 */
export function sanitizeUrl(url: string): string {
  if (url.startsWith('data:')) return 'data:'
  const end = url.search(/[?#]/)
  return (end < 0 ? url : url.slice(0, end)).replace(/^([a-z][a-z\d+.-]*:\/\/)[^/@]*@/i, '$1')
}

/** Returns a profile of V8 with sanitized URLs. */
export function sanitizeProfile(
  profile: Profiler.Profile | HeapProfiler.SamplingHeapProfile,
): Profiler.Profile | HeapProfiler.SamplingHeapProfile {
  if ('head' in profile) return { ...profile, head: sanitizeHead(profile.head) }
  return { ...profile, nodes: profile.nodes.map((node) => ({ ...node, callFrame: sanitizeFrame(node.callFrame) })) }
}

/** Sanitizes a tree that may be deeper than the stack of calls. */
function sanitizeHead(head: HeapProfiler.SamplingHeapProfileNode): HeapProfiler.SamplingHeapProfileNode {
  const copy = { ...head }
  const pending = [copy]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    node.callFrame = sanitizeFrame(node.callFrame)
    node.children = node.children.map((child) => ({ ...child }))
    pending.push(...node.children)
  }
  return copy
}

function sanitizeFrame(frame: Runtime.CallFrame): Runtime.CallFrame {
  return { ...frame, url: sanitizeUrl(frame.url) }
}
