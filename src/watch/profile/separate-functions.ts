import type { InspectorTarget } from '../inspector/inspector-target.ts'

const inliningFlags = ['turbo-inlining', 'maglev-inlining'] as const

/**
 * Disables V8's inlining in all threads, for code that is optimised from now on: a function that is inlined does not
 * appear in a profile, its samples are those of its caller.
 */
export function disableInlining(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  for (const flag of inliningFlags) setFlagsFromString(`--no-${flag}`)
}

/** Enables it again. */
export function enableInlining(): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  for (const flag of inliningFlags) setFlagsFromString(`--${flag}`)
}

/**
 * Discards the optimised code of a thread: the start of precise coverage does. Code that is optimised again is known to
 * the profile, and is with or without inlining as the flags are then. Requires `Profiler.enable`.
 */
export async function discardOptimisedCode(target: InspectorTarget): Promise<void> {
  await target.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
  await target.post('Profiler.stopPreciseCoverage')
}
