import { HttpError } from '../../http/errors/http-error.ts'
import type { InspectorTarget } from '../inspector/inspector-target.ts'
import { type MainSession, openMainSession } from '../inspector/main-session.ts'
import { attachWorkers } from '../inspector/worker-targets.ts'
import type { ProfileInput } from './profile-operation.ts'
import { type RecordedProfile, type Recording, record } from './recording.ts'
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
