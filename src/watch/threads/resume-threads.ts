import { attachWorkers } from '../inspector/worker-targets.ts'

/**
 * Resumes the worker threads that are paused, for the main thread: when the diagnosing thread ends during a dump, those
 * that it has paused would stay so for good. Does not keep the process alive.
 */
export async function resumeThreads(): Promise<void> {
  const session = new (process.getBuiltinModule('node:inspector').Session)()
  session.connect()
  const resumed: Promise<unknown>[] = []
  const workers = attachWorkers(
    session,
    (target) => {
      const commands = ['Debugger.enable', 'Debugger.resume', 'Debugger.disable'] as const
      // A thread that is not paused rejects the second one.
      resumed.push(Promise.allSettled(commands.map((command) => target.post(command))))
    },
    () => {},
  )
  try {
    await workers.ready
    await Promise.all(resumed)
  } finally {
    workers.close()
    session.disconnect()
  }
}
