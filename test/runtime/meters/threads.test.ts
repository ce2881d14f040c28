import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { bindThreadMeters, parseThreads } from '../../../src/runtime/meters/threads.ts'
import { measure } from '../../support/runtime-measuring.ts'

const isTold = existsSync('/proc/self/status')

describe('the meter of threads', () => {
  it(`${isTold ? 'counts a worker' : 'is not there where the operating system does not tell'}`, async () => {
    const { meters, gauges, snapshots } = measure(bindThreadMeters)
    if (!isTold) {
      expect(meters.names()).toEqual([])
      return
    }
    expect(snapshots('jvm.threads.live')[0]?.id).toMatchObject({ name: 'jvm.threads.live', baseUnit: 'threads' })
    const before = gauges('jvm.threads.live')[''] ?? Number.NaN
    expect(before).toBeGreaterThan(1)
    const worker = new Worker('setInterval(() => {}, 1e6)', { eval: true })
    await new Promise((resolve) => worker.once('online', resolve))
    expect(gauges('jvm.threads.live')['']).toBeGreaterThan(before)
    await worker.terminate()
  })

  it('goes by the prefix', () => {
    expect(measure(bindThreadMeters, { prefix: 'nodejs.' }).meters.names()).toEqual(
      isTold ? ['nodejs.threads.live'] : [],
    )
  })
})

describe('the threads of /proc/<pid>/status', () => {
  it.each([
    ['Name:\tnode\nThreads:\t11\nSigQ:\t0/1', 11],
    ['Name:\tThreads: 7\nThreads:\t1\n', 1],
    ['', Number.NaN],
  ])('of %j are counted', (text, threads) => {
    expect(parseThreads(text)).toBe(threads)
  })
})
