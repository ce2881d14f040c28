import type { Profiler, Runtime } from 'node:inspector'
import type { ProfileInput } from '../diagnostics/diagnostic-operation.ts'
import type { SamplingHeapProfile } from '../inspector/inspector-target.ts'
import type { RecordedProfile } from './record-threads.ts'
import { sanitizeUrl } from './sanitize-profile.ts'

/** A function. */
export interface ProfileFrame {
  /** With its place if it has no name, since all of those have the same. */
  readonly name: string
  readonly url: string
  /** From 1, where the function begins; 0 if it is not in a script. */
  readonly line: number
  /** Identifies the function: two of one script may begin in one line. */
  readonly key: string
}

/** A function as called by others, with what it spent itself. */
export interface ProfileNode {
  readonly frame: ProfileFrame
  /** The caller; `undefined` for the outermost function. */
  readonly parent: ProfileNode | undefined
  /** Nanoseconds, or bytes. */
  readonly value: number
  readonly samples: number
  /** The samples by line of the function's code, where V8 knows them. */
  readonly lines: readonly Profiler.PositionTickInfo[]
}

/** The profile of one thread; callers before those whom they call. */
export interface ThreadProfile {
  readonly thread: string
  readonly nodes: readonly ProfileNode[]
}

/** Returns the functions of a profile, without the time in which the thread was idle. */
export function readProfile(recorded: RecordedProfile): ThreadProfile {
  const nodes = recorded.kind === 'wall' ? wallNodes(recorded.profile) : heapNodes(recorded.profile)
  return { thread: recorded.thread, nodes }
}

function wallNodes(profile: Profiler.Profile): readonly ProfileNode[] {
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const times = sampledTimes(profile)
  const childrenOf = ({ children = [] }: Profiler.ProfileNode) => children.flatMap((id) => byId.get(id) ?? [])
  return readTree(profile.nodes[0], childrenOf, ({ id, hitCount = 0, positionTicks = [] }) => ({
    ...{ value: (times.get(id) ?? 0) * 1_000, samples: hitCount, lines: positionTicks },
  }))
}

function heapNodes({ head, samples }: SamplingHeapProfile): readonly ProfileNode[] {
  const counts = new Map<number, number>()
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1)
  return readTree(
    head,
    ({ children }) => children,
    ({ id, selfSize }) => ({ value: selfSize, samples: counts.get(id) ?? 0, lines: [] }),
  )
}

/** Reads a tree of V8 from its root, which is not a function itself. */
function readTree<Node extends { readonly callFrame: Runtime.CallFrame }>(
  root: Node | undefined,
  childrenOf: (node: Node) => readonly Node[],
  read: (node: Node) => Pick<ProfileNode, 'value' | 'samples' | 'lines'>,
): readonly ProfileNode[] {
  if (root === undefined) return []
  const nodes: ProfileNode[] = []
  const pending: (readonly [node: Node, parent: ProfileNode | undefined])[] = childrenOf(root).map((node) => [
    node,
    undefined,
  ])
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, parent] = next
    if (parent === undefined && node.callFrame.functionName === '(idle)') continue
    const own: ProfileNode = { frame: readFrame(node.callFrame), parent, ...read(node) }
    nodes.push(own)
    for (const child of childrenOf(node)) pending.push([child, own])
  }
  return nodes
}

function readFrame({ functionName, url, lineNumber, columnNumber }: Runtime.CallFrame): ProfileFrame {
  const place = sanitizeUrl(url)
  const line = lineNumber + 1
  const name = functionName === '' ? `(anonymous ${place.slice(place.lastIndexOf('/') + 1)}:${line})` : functionName
  return { name, url: place, line, key: `${line}:${columnNumber}:${place}:${functionName}` }
}

/**
 * Returns the microseconds of each node by its id. The time of a sample lasts until the next one, and that of the last
 * until the end: the samples are not evenly spaced, and V8 may report them out of order.
 */
function sampledTimes({ samples = [], timeDeltas = [], startTime, endTime }: Profiler.Profile): Map<number, number> {
  let time = startTime
  const taken = samples.map((id, at) => {
    time += timeDeltas[at] ?? 0
    return { id, time }
  })
  taken.sort((one, other) => one.time - other.time)
  const times = new Map<number, number>()
  for (const [at, { id, time: from }] of taken.entries()) {
    const until = taken[at + 1]?.time ?? Math.max(from, endTime)
    times.set(id, (times.get(id) ?? 0) + until - from)
  }
  return times
}

/** What a profile is of, in the terms of pprof. */
export interface ProfileDescription {
  readonly valueType: 'wall' | 'inuse_space' | 'alloc_space'
  readonly unit: 'nanoseconds' | 'bytes'
  /** The sampling interval. */
  readonly period: { readonly type: 'wall' | 'space'; readonly value: number }
  /** In milliseconds since the epoch. */
  readonly startedAt: number
  readonly seconds: number
  /** What a reader must know. */
  readonly notes: readonly string[]
}

/** Describes a profile for those who read it. */
export function describeProfile(
  { type, intervalMilliseconds, samplingBytes, separateFunctions }: ProfileInput,
  startedAt: number,
  seconds: number,
): ProfileDescription {
  const notes = separateFunctions
    ? ['Functions that V8 inlines are distinguished from their callers.']
    : ['Functions that V8 inlined are not distinguished from their callers.']
  const at = { startedAt, seconds, notes }
  if (type === 'wall') {
    const period = { type: 'wall', value: Math.round(intervalMilliseconds * 1e6) } as const
    return { valueType: 'wall', unit: 'nanoseconds', period, ...at }
  }
  const valueType = type === 'heap' ? 'inuse_space' : 'alloc_space'
  return { valueType, unit: 'bytes', period: { type: 'space', value: samplingBytes }, ...at }
}
