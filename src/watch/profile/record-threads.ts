import type { Profiler } from 'node:inspector'
import { HttpError } from '../../http/errors/http-error.ts'
import type { ProfileInput } from '../diagnostics/diagnostic-operation.ts'
import type { InspectorTarget, SamplingHeapProfile } from '../inspector/inspector-target.ts'
import { type MainSession, openMainSession } from '../inspector/main-session.ts'
import { attachWorkers } from '../inspector/worker-targets.ts'
import { disableInlining, discardOptimisedCode, enableInlining } from './separate-functions.ts'

/** The profile of a thread that did not respond, or has ended. */
const missed = Symbol('missed')

/**
 * Records a profile of the main thread and of its worker threads, those that start meanwhile included, or of one of
 * them, until `waitUntilEnd` resolves. The result has the main thread first. Rejects if the main thread does not
 * respond, if there is no such thread, or with the reason for which `waitUntilEnd` rejects.
 */
export async function recordThreads(
  input: ProfileInput,
  waitUntilEnd: () => Promise<unknown>,
): Promise<readonly RecordedProfile[]> {
  const main = openMainSession()
  if (input.separateFunctions) disableInlining()
  try {
    return await recordSession(main, input, waitUntilEnd)
  } finally {
    if (input.separateFunctions) enableInlining()
    main.detach()
  }
}

async function recordSession(
  main: MainSession,
  input: ProfileInput,
  waitUntilEnd: () => Promise<unknown>,
): Promise<readonly RecordedProfile[]> {
  const recordings = new Map<InspectorTarget, Promise<Recording | typeof missed>>()
  const isSelected = ({ id }: InspectorTarget) => input.thread === undefined || input.thread === id
  if (isSelected(main)) recordings.set(main, Promise.resolve(await record(main, input)))
  const attach = (worker: InspectorTarget): void => {
    if (!isSelected(worker)) return
    const recording: Promise<Recording | typeof missed> = record(worker, input).catch(() => missed)
    recordings.set(worker, recording)
  }
  const ended = (worker: InspectorTarget): void => void recordings.delete(worker)
  // Not without need: Node may abort the process if a thread ends meanwhile.
  const workers =
    input.thread === main.id ? undefined : attachWorkers(main.session, attach, { includeLater: true, ended })
  try {
    await workers?.ready
    if (recordings.size === 0) throw new HttpError(404, `There is no thread ${JSON.stringify(input.thread)}.`)
    await waitUntilEnd()
    const profiles = await Promise.all([...recordings].map(([target, recording]) => stop(target, recording)))
    return profiles.filter((profile) => profile !== missed)
  } finally {
    if (input.separateFunctions) {
      // Code that was optimised without inlining would stay so.
      enableInlining()
      await Promise.allSettled([...recordings.keys()].map(discardOptimisedCode))
    }
    workers?.close()
  }
}

async function stop(
  { id }: InspectorTarget,
  started: Promise<Recording | typeof missed>,
): Promise<RecordedProfile | typeof missed> {
  const recording = await started
  if (recording === missed) return missed
  return id === 'main' ? recording.stop() : recording.stop().catch(() => missed)
}

/** A profile of one thread, as V8 returns it. */
export type RecordedProfile =
  | { readonly kind: 'wall'; readonly thread: string; readonly profile: Profiler.Profile }
  | { readonly kind: 'heap'; readonly thread: string; readonly profile: SamplingHeapProfile }

/** A profile that is being recorded. */
interface Recording {
  stop(): Promise<RecordedProfile>
}

/** Starts to record a profile of a thread. Rejects if it does not respond. */
function record(target: InspectorTarget, input: ProfileInput): Promise<Recording> {
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
