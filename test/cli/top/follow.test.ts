import { describe, expect, it } from 'vitest'
import { follow } from '../../../src/cli/top/follow.ts'
import { timeOf } from '../../../src/cli/top/formats.ts'
import type { TopSample } from '../../../src/cli/top/top-sample.ts'
import { sampleOf, view } from './samples.ts'

/** Follows a service that responds with these samples or failures, one after another. */
function followed(...results: readonly (TopSample | string)[]) {
  const rest = [...results]
  let connections = 0
  const connect = async () => {
    connections += 1
    return {
      read: async () => {
        const result = rest.shift() ?? 'no more results'
        if (typeof result === 'string') throw new Error(result)
        return result
      },
    }
  }
  return { read: follow(connect, 1_000), connections: () => connections }
}

const startedAt = (at: number, version: string) =>
  sampleOf({ application: { ...sampleOf().application, startedAt: at, version } })

describe('a service that is followed', () => {
  it('is read at each interval over one connection', async () => {
    const { read, connections } = followed(sampleOf(), sampleOf())
    await read(view)
    expect(await read(view)).toEqual({
      ...{ sample: sampleOf(), problem: undefined, notice: undefined, delayMilliseconds: 1_000 },
    })
    expect(connections()).toBe(1)
  })

  it('is connected again after failures, with delays that double up to 30 s', async () => {
    const { read, connections } = followed(sampleOf(), ...Array(7).fill('refused'), sampleOf(), 'reset')
    await read(view)
    const delays = []
    for (let attempt = 0; attempt < 7; attempt += 1) {
      const { problem, sample, delayMilliseconds } = await read(view)
      expect([problem, sample]).toEqual(['refused', sampleOf()])
      delays.push(delayMilliseconds / 1_000)
    }
    expect(delays).toEqual([1, 2, 4, 8, 16, 30, 30])
    expect(await read(view)).toMatchObject({ problem: undefined, delayMilliseconds: 1_000 })
    expect(await read(view)).toMatchObject({ problem: 'reset', delayMilliseconds: 1_000 })
    expect(connections()).toBe(8)
  })

  it('is not read more often after a failure than at its interval', async () => {
    const read = follow(async () => Promise.reject(new Error('refused')), 60_000)
    expect(await read(view)).toMatchObject({ sample: undefined, delayMilliseconds: 60_000 })
    expect(await read(view)).toMatchObject({ delayMilliseconds: 60_000 })
  })

  it('shows which version is there after a restart', async () => {
    const { read } = followed(
      startedAt(1_000, '1.4.2'),
      'refused',
      startedAt(9_000, '1.5.0'),
      startedAt(9_000, '1.5.0'),
    )
    await read(view)
    await read(view)
    const notice = `restarted at ${timeOf(9_000)}: version 1.5.0, before 1.4.2`
    expect(await read(view)).toMatchObject({ notice })
    expect(await read(view)).toMatchObject({ notice })
  })

  it('is not taken for restarted when members that started at different times respond in turns', async () => {
    const samples = [1_000, 9_000, 1_000, 9_000].map((at) => ({ ...startedAt(at, '1.4.2'), members: ['0', '1'] }))
    const { read } = followed(...samples)
    for (let turn = 0; turn < 4; turn += 1) expect(await read(view)).toMatchObject({ notice: undefined })
  })

  it('is not taken for restarted when another member is selected', async () => {
    const { read } = followed(startedAt(1_000, '1.4.2'), startedAt(9_000, '1.5.0'))
    await read({ ...view, member: '0' })
    expect(await read({ ...view, member: '1' })).toMatchObject({ notice: undefined })
  })
})
