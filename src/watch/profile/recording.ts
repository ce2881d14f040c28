import type { Profiler } from 'node:inspector'
import { HttpError } from '../../http/errors/http-error.ts'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import type { SamplingHeapProfile } from '../inspector/sampling-heap-profile.ts'
import type { ProfileInput } from './profile-operation.ts'
import { discardOptimisedCode } from './separate-functions.ts'

/** A profile of one thread, as V8 returns it. */
export type RecordedProfile =
  | { readonly kind: 'wall'; readonly thread: string; readonly profile: Profiler.Profile }
  | { readonly kind: 'heap'; readonly thread: string; readonly profile: SamplingHeapProfile }

/** A profile that is being recorded. */
export interface Recording {
  stop(): Promise<RecordedProfile>
}

/** Starts to record a profile of a thread. Rejects if it does not respond. */
export function record(target: InspectorTarget, input: ProfileInput): Promise<Recording> {
  return input.type === 'wall' ? recordWall(target, input) : recordHeap(target, input)
}

async function recordWall(
  target: InspectorTarget,
  { intervalMilliseconds, separateFunctions }: ProfileInput,
): Promise<Recording> {
  // At once: a thread may end soon after it has responded.
  await Promise.all([
    target.post('Profiler.enable'),
    target.post('Profiler.setSamplingInterval', { interval: Math.round(intervalMilliseconds * 1_000) }),
    target.post('Profiler.start'),
    separateFunctions && discardOptimisedCode(target),
  ])
  return {
    async stop() {
      const { profile } = await target.post('Profiler.stop')
      return { kind: 'wall', thread: target.thread, profile }
    },
  }
}

async function recordHeap(
  target: InspectorTarget,
  { type, samplingBytes, separateFunctions }: ProfileInput,
): Promise<Recording> {
  await Promise.all([target.post('Profiler.enable'), separateFunctions && discardOptimisedCode(target)])
  const includesCollected = type === 'allocs'
  await target.post('HeapProfiler.enable')
  if (await isSamplingHeap(target))
    throw heapConflict('A heap profile of a debugger, or of the application, is in progress')
  await target.post('HeapProfiler.startSampling', {
    samplingInterval: samplingBytes,
    includeObjectsCollectedByMajorGC: includesCollected,
    includeObjectsCollectedByMinorGC: includesCollected,
  })
  return {
    async stop() {
      const { profile } = await target.post('HeapProfiler.stopSampling').catch((error) => {
        throw isNotSampling(error) ? heapConflict('A debugger, or the application, has ended the heap profile') : error
      })
      await target.post('HeapProfiler.disable')
      return { kind: 'heap', thread: target.thread, profile }
    },
  }
}

/** Whether another session of the inspector samples the heap: a second start succeeds, and either stop ends both. */
async function isSamplingHeap(target: InspectorTarget): Promise<boolean> {
  try {
    await target.post('HeapProfiler.getSamplingProfile')
    return true
  } catch (error) {
    if (isNotSampling(error)) return false
    throw error
  }
}

function isNotSampling(error: unknown): boolean {
  return error instanceof Error && error.message.includes('sampling heap profiler was not started')
}

function heapConflict(what: string): HttpError {
  return new HttpError(409, `${what}: V8 records one at a time.`, { headers: { 'Retry-After': '10' } })
}
