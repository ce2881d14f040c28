import { readdirSync, readFileSync } from 'node:fs'
import { canRead } from '../can-read.ts'
import type { RuntimeMeasuring } from './bind-meters.ts'
import { createSampler } from './sampler.ts'

const tasks = '/proc/self/task'

/** The states of a thread in Java that Linux can distinguish. */
type ThreadState = 'runnable' | 'blocked' | 'waiting' | 'terminated'

const states: readonly ThreadState[] = ['runnable', 'blocked', 'waiting', 'terminated']

/** `threads.states`: the threads of the process by `state`, if the operating system reports them (Linux). */
export function bindThreadStateMeters({ meters, prefix, clock }: RuntimeMeasuring): () => void {
  if (!canRead(tasks)) return () => {}
  const counts = createSampler(clock, countThreads)
  for (const state of states) {
    meters.gauge(`${prefix}threads.states`, { state }, () => counts().get(state) ?? 0, {
      description: 'The number of threads of the process by state',
      baseUnit: 'threads',
    })
  }
  return () => {}
}

function countThreads(): ReadonlyMap<ThreadState, number> {
  const counts = new Map<ThreadState, number>()
  for (const id of readdirSync(tasks)) {
    const state = readState(id)
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1)
  }
  return counts
}

/** Returns the state of a thread; `undefined` if it has ended since it was listed. */
function readState(id: string): ThreadState | undefined {
  try {
    return parseThreadState(readFileSync(`${tasks}/${id}/stat`, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Parses the state in `/proc/<pid>/task/<tid>/stat`, the letter after the name in parentheses: `R` is running, `D`
 * waits for a disk and cannot be interrupted, `Z` and `X` have ended, the others wait.
 */
export function parseThreadState(text: string): ThreadState {
  switch (text.charAt(text.lastIndexOf(')') + 2)) {
    case 'R':
      return 'runnable'
    case 'D':
      return 'blocked'
    case 'Z':
    case 'X':
      return 'terminated'
    default:
      return 'waiting'
  }
}
