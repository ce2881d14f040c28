import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { systemClock } from '../../src/base/clock.ts'
import { Group } from '../../src/cluster/files/group-files.ts'
import { GroupLock } from '../../src/cluster/files/group-lock.ts'
import type { MemberFile } from '../../src/cluster/files/member-file.ts'
import { writeWhole } from '../../src/cluster/files/safe-files.ts'
import type { SeriesDefinition } from '../../src/cluster/series-definition.ts'
import { accepting, addCells } from './merge-cells.ts'

const [, , mode = '', directory = ''] = process.argv

function print(line: string): void {
  // Not console.log: what was printed must have arrived when the process is killed.
  writeSync(1, `${line}\n`)
}

function open(): Group {
  return new Group({ directory, clock: systemClock, report: (message, cause) => print(`${message} ${String(cause)}`) })
}

function joinGroup(): MemberFile {
  return open().join({ application: 'program', version: undefined, state: accepting, merge: addCells })
}

/** Writes as fast as it can: series that all have the same value, and more and more of them. */
function write(): void {
  const member = joinGroup()
  const series: number[] = []
  for (let value = 1; ; value++) {
    if (series.length < 3000 && (value % 10 === 1 || series.length < 20)) {
      const index = member.define({ ...counter(`c${series.length}`), kind: 'timer' })
      if (index !== undefined) series.push(index)
    }
    for (const index of series) member.cells.fill(value, member.placeOf(index), member.placeOf(index) + 3)
    member.commit(accepting)
    if (value % 20 === 0) print(`committed ${value}`)
  }
}

/** Joins with each of four threads, all at once, and stays until its input ends. */
function joinAll(): void {
  const member = joinGroup()
  print(`slot ${member.identity.slot}`)
  for (let thread = 0; thread < 3; thread++) {
    new Worker(new URL(import.meta.url), { argv: [mode, directory], workerData: thread }).on('message', print)
  }
  process.stdin.resume().on('end', () => process.exit())
}

/**
 * Adds 1 to a file under the lock, again and again, and finds out whether someone else is doing that. Leaves the lock
 * alone for a few milliseconds each time: who waits for it looks for it less and less often.
 */
function lock(): void {
  const groupLock = new GroupLock(directory, systemClock)
  const inside = join(directory, 'inside')
  for (;;) {
    const done = groupLock.run(20_000, () => {
      const left = read(inside)
      if (left !== undefined && exists(Number(left))) print(`collision with ${left}`)
      rmSync(inside, { force: true })
      const file = openSync(inside, 'wx')
      writeSync(file, String(process.pid))
      closeSync(file)
      const count = Number(read(join(directory, 'count')) ?? 0) + 1
      writeWhole(directory, 'count', Buffer.from(String(count)))
      rmSync(inside)
      return count
    })
    print(done === undefined ? 'not locked' : `count ${done.result}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20 * Math.random())
  }
}

/** Fills the disk, and writes more series than there is room for; then makes room, and writes them. */
function fill(): void {
  const group = open()
  const member = joinGroup()
  const first = member.define(counter('first')) ?? -1
  member.cells[member.placeOf(first)] = 1
  member.commit(accepting)
  const ballast = openSync(join(directory, 'ballast'), 'w')
  const attempt = (what: string, call: () => unknown): void => {
    try {
      call()
      print(`${what}: done`)
    } catch (error) {
      print(`${what}: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
  const show = (): void => {
    const { members, refused } = group.read()
    const names = members.map(({ image }) => image.definitions.filter((each) => each !== undefined).length)
    print(`series ${names}, first ${members.map(({ image }) => image.cells[0])}, refused ${refused.length}`)
  }
  attempt('fill', () => {
    for (const size of [65_536, 4096, 1]) {
      try {
        for (;;) if (writeSync(ballast, Buffer.alloc(size)) < size) break
      } catch (error) {
        if (size === 1) throw error
      }
    }
  })
  for (let index = 0; index < 1500; index++) member.define(counter(`c${index}`))
  member.cells[member.placeOf(first)] = 2
  attempt('commit', () => member.commit(accepting))
  show()
  attempt('join', () => joinGroup())
  attempt('command', () => group.commands.append({ kind: 'shutdown', reason: 'full' }))
  show()
  closeSync(ballast)
  rmSync(join(directory, 'ballast'))
  attempt('commit', () => member.commit(accepting))
  attempt('join', () => joinGroup())
  show()
  print(`left over ${readdirSync(directory).filter((name) => name.endsWith('.tmp')).length}`)
}

function tryToJoin(): void {
  try {
    const group = open()
    print(`members ${group.read().members.length}`)
    print(`slot ${joinGroup().identity.slot}`)
  } catch (error) {
    print(error instanceof Error ? error.message : String(error))
  }
}

/** Does what another user would try. */
function intrude(): void {
  const attempts: readonly (readonly [string, () => unknown])[] = [
    ['open', open],
    ['list', () => readdirSync(directory)],
    ['read', () => readFileSync(join(directory, '0.member'))],
    ['write', () => openSync(join(directory, '0.member'), 'r+')],
    ['create', () => openSync(join(directory, '1.member'), 'w')],
  ]
  for (const [what, call] of attempts) {
    try {
      call()
      print(`${what}: done`)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      print(`${what}: ${code.startsWith('E') ? code : String(error)}`)
    }
  }
}

function counter(name: string): SeriesDefinition {
  return { kind: 'counter', id: { name, tags: [], description: undefined, baseUnit: undefined }, created: 1 }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function exists(pid: number): boolean {
  try {
    // The state of a process that was killed, and that nobody has waited for yet, is Z.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

if (!isMainThread && typeof workerData === 'number') {
  const member = joinGroup()
  parentPort?.postMessage(`slot ${member.identity.slot}`)
  parentPort?.on('message', () => {})
} else if (mode === 'write') write()
else if (mode === 'join') joinAll()
else if (mode === 'fill') fill()
else if (mode === 'try') tryToJoin()
else if (mode === 'intrude') intrude()
else lock()
