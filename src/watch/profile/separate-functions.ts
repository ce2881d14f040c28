import { workerData } from 'node:worker_threads'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import { type ThreadTask, unfinished } from '../thread-protocol.ts'

const inliningFlags = ['turbo-inlining', 'maglev-inlining'] as const

/**
 * Disables V8's inlining in all threads, for code that is optimised from now on: a function that is inlined does not
 * appear in a profile, its samples are those of its caller. Called in the diagnosing thread.
 */
export function disableInlining(): void {
  Atomics.store(flagsOf(workerData), unfinished.inliningDisabled, 1)
  setInlining('no-')
}

/** Enables it again. Called in the diagnosing thread. */
export function enableInlining(): void {
  restoreInlining(flagsOf(workerData))
}

/** Enables it again if it is disabled: for the main thread, when the diagnosing thread has ended during a profile. */
export function restoreInlining(flags: Int32Array): void {
  if (Atomics.exchange(flags, unfinished.inliningDisabled, 0) === 1) setInlining('')
}

function flagsOf(task: ThreadTask): Int32Array {
  return task.unfinished
}

function setInlining(prefix: 'no-' | ''): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  for (const flag of inliningFlags) setFlagsFromString(`--${prefix}${flag}`)
}

/**
 * Discards the optimised code of a thread: the start of precise coverage does. Code that is optimised again is known to
 * the profile, and is with or without inlining as the flags are then. Requires `Profiler.enable`.
 */
export async function discardOptimisedCode(target: InspectorTarget): Promise<void> {
  await Promise.all([
    target.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false }),
    target.post('Profiler.stopPreciseCoverage'),
  ])
}
