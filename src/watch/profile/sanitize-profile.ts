import type { Profiler, Runtime } from 'node:inspector'
import type { SamplingHeapProfile, SamplingHeapProfileNode } from '../inspector/inspector-target.ts'

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
  profile: Profiler.Profile | SamplingHeapProfile,
): Profiler.Profile | SamplingHeapProfile {
  if ('head' in profile) return { ...profile, head: sanitizeHead(profile.head) }
  return { ...profile, nodes: profile.nodes.map((node) => ({ ...node, callFrame: sanitizeFrame(node.callFrame) })) }
}

function sanitizeHead(node: SamplingHeapProfileNode): SamplingHeapProfileNode {
  // As deep as the stack of calls that V8 recorded: at most some hundred frames.
  return { ...node, callFrame: sanitizeFrame(node.callFrame), children: node.children.map(sanitizeHead) }
}

function sanitizeFrame(frame: Runtime.CallFrame): Runtime.CallFrame {
  return { ...frame, url: sanitizeUrl(frame.url) }
}
