import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { bindThreadMeters, parseThreads } from '../../../src/runtime/meters/threads.ts'
import { bindRuntimeMeters } from '../../support/bind-runtime-meters.ts'

const isReported = existsSync('/proc/self/status')

describe('bindThreadMeters', () => {
  it(`${isReported ? 'counts a worker' : 'registers no meter without support by the system'}`, async () => {
    const { meters, gauges, snapshots } = bindRuntimeMeters(bindThreadMeters)
    if (!isReported) {
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

  it('uses the prefix', () => {
    expect(bindRuntimeMeters(bindThreadMeters, { prefix: 'nodejs.' }).meters.names()).toEqual(
      isReported ? ['nodejs.threads.live'] : [],
    )
  })
})

describe('parseThreads', () => {
  it.each([
    ['Name:\tnode\nThreads:\t11\nSigQ:\t0/1', 11],
    ['Name:\tThreads: 7\nThreads:\t1\n', 1],
    ['', Number.NaN],
  ])('returns the number of threads of %j', (text, threads) => {
    expect(parseThreads(text)).toBe(threads)
  })
})
