import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

const endMilliseconds = 3_000

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export function isEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}

/** Ends a program by SIGTERM, and after 3 s by SIGKILL, and then the processes that it has started. */
export async function endProgram(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (!isEnded(child)) {
    child.kill('SIGTERM')
    await Promise.race([exited, wait(endMilliseconds, undefined, { ref: false })])
  }
  killGroup(child)
  await exited
  // A process outside the group may hold the other ends.
  for (const stream of child.stdio) stream?.destroy()
}

/** Kills a program if this process ends before it. Returns a function that stops it. */
export function endWithCommand(child: ChildProcess): () => void {
  const kill = () => killGroup(child)
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.once('exit', kill)
  for (const signal of endingSignals) process.once(signal, exit)
  return () => {
    process.off('exit', kill)
    for (const signal of endingSignals) process.off(signal, exit)
  }
}

/** The group has the id of the program, also after that has ended. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // ESRCH: the group is empty.
  }
}
