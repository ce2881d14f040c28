import type { ProfileInput } from './profile-operation.ts'

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
