import { attachWorkers } from '../inspector/worker-targets.ts'

/**
 * Resumes the worker threads that are paused, for the main thread: when the diagnosing thread ends during a dump, those
 * that it has paused would stay so for good. Does not keep the process alive.
 */
export async function resumeThreads(): Promise<void> {
  const session = new (process.getBuiltinModule('node:inspector').Session)()
  session.connect()
  const workers = attachWorkers(session, (target) => {
    for (const command of ['Debugger.enable', 'Debugger.resume'] as const) target.post(command).catch(() => {})
    target.detach()
  })
  try {
    await workers.ready
  } finally {
    workers.close()
    session.disconnect()
  }
}
