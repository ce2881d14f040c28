import { execFileSync } from 'node:child_process'

/** A process and all that it started, parents before their children. */
export function processTree(root: number): readonly number[] {
  const parents = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const tree = [root]
  for (const parent of tree) {
    tree.push(...parents.flatMap(([pid, ppid]) => (pid !== undefined && ppid === parent ? [pid] : [])))
  }
  return tree
}

/** Stops a process and all that it started, as if the machine stood still; returns when it does. */
export function freezeTree(root: number): void {
  // Parents first, so that none starts another meanwhile.
  for (const pid of processTree(root)) {
    signal(pid, 'SIGSTOP')
  }
  for (let look = 0; look < 1_000; look++) {
    if (isFrozen(root)) {
      return
    }
  }
  throw new Error(`process ${root} does not stop`)
}

/** Whether every thread has come to a stop, which each does when its turn comes. */
function isFrozen(root: number): boolean {
  const pids = processTree(root).join(',')
  const states = execFileSync('ps', ['-L', '-o', 'stat=', '-p', pids], { encoding: 'utf8' })
  return states
    .trim()
    .split('\n')
    .every((state) => /^[TZ]/.test(state.trim()))
}

export function thawTree(root: number): void {
  for (const pid of [...processTree(root)].reverse()) {
    signal(pid, 'SIGCONT')
  }
}

export function killTree(root: number): void {
  for (const pid of processTree(root)) {
    signal(pid, 'SIGKILL')
  }
}

/** A process that has ended meanwhile needs no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {}
}
