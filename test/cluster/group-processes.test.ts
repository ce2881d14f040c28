import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Child, startChild } from '../support/child.ts'
import { bundleProgram, newDirectory, openTestGroup } from './cluster-files.ts'

const program = await bundleProgram()

function start(mode: string, directory: string): Child {
  const child = startChild(process.execPath, [program, mode, directory])
  onTestFinished(() => child.kill())
  return child
}

describe('a process that is killed while it writes', () => {
  it('is dead at once, although nobody has waited for it', async () => {
    const directory = newDirectory()
    const writer = start('write', directory)
    await writer.out.line(/committed/)
    const group = openTestGroup(directory)
    // A member that writes all the time may be overtaken at each attempt to read it.
    await expect.poll(() => group.read().members).toMatchObject([{ isAlive: true, isProcessAlive: true }])
    // Its exit is noticed by the event loop, which does not run before it is a zombie.
    writer.process.kill('SIGKILL')
    const isSeenDead = () => group.read().members.some(({ isAlive }) => !isAlive)
    for (let reads = 0; reads < 1_000_000 && !isSeenDead(); reads++);
    expect(group.read().members).toMatchObject([{ isAlive: false, isProcessAlive: false }])
    await writer.ended
  })
})

describe('a thread that is terminated', () => {
  it('is dead in a process that is alive', async () => {
    const directory = newDirectory()
    const thread = new Worker(program, { argv: ['join', directory], workerData: 1 })
    await once(thread, 'message')
    const group = openTestGroup(directory)
    const shown = () => group.read().members.map(({ isAlive, isProcessAlive }) => ({ isAlive, isProcessAlive }))
    const { threadId } = thread
    expect(group.read().members).toMatchObject([{ identity: { pid: process.pid, threadId, slot: 0 } }])
    expect(shown()).toEqual([{ isAlive: true, isProcessAlive: true }])
    await thread.terminate()
    expect(shown()).toEqual([{ isAlive: false, isProcessAlive: true }])
  })
})

describe('processes and threads that join at once', () => {
  it('have different slots, the lowest that are free', async () => {
    const directory = newDirectory()
    const children = [start('join', directory), start('join', directory)]
    const joined = children.flatMap(({ out }) => [1, 2, 3, 4].map((nth) => out.line(/^slot \d+$/, nth)))
    expect((await Promise.all(joined)).sort()).toEqual(Array.from({ length: 8 }, (_, slot) => `slot ${slot}`))
  })
})
