import { beforeEach, describe, expect, it, vi } from 'vitest'
import { profileSettings } from '../../../src/watch/profile/profile-options.ts'
import type { Capture } from '../../../src/watch/recorder/capture.ts'
import { createFlightRecorder } from '../../../src/watch/recorder/flight-recorder.ts'
import { type RecorderOptions, recorderSettings } from '../../../src/watch/recorder/recorder-options.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  return () => vi.useRealTimers()
})

/** A flight recorder that keeps its captures in memory, and records no profiles. */
function start(options: RecorderOptions) {
  const announce = vi.fn((_: Capture) => {})
  const recorder = createFlightRecorder(recorderSettings(options, profileSettings({}), vi.fn()), {
    ...{ announce, report: vi.fn() },
    profiles: { record: () => Promise.reject(new Error('Not available')) },
  })
  let time = 0
  const capture = async () => {
    time += 1_000
    const finding = { rule: 'error-burst', time, reason: `${time}`, details: {} } as const
    return (await recorder.report(finding, { time }))?.id ?? 'none'
  }
  return { ...recorder, announce, capture }
}

describe('a flight recorder', () => {
  it('keeps the latest captures within their number', async () => {
    const { capture, list, read, announce } = start({ maximumCaptures: 2 })
    const ids = [await capture(), await capture(), await capture()]
    const { captures, dropped } = await list()
    expect(captures.map(({ id }) => id)).toEqual([ids[2], ids[1]])
    expect(dropped).toBe(1)
    expect(announce.mock.calls.map(([{ id }]) => id)).toEqual(ids)
    const options = { format: 'folded', nonce: '' } as const
    expect(await read({ id: ids[0] ?? '', ...options })).toBeUndefined()
    expect(await read({ id: ids[2] ?? '', ...options })).toBeDefined()
  })

  it('admits a rule once per interval, and counts what it does not admit', async () => {
    const { admit, list } = start({ interval: '1m' })
    expect([admit('blocked-loop'), admit('blocked-loop'), admit('memory')]).toEqual([true, false, true])
    vi.advanceTimersByTime(59_999)
    expect(admit('blocked-loop')).toBe(false)
    vi.advanceTimersByTime(1)
    expect(admit('blocked-loop')).toBe(true)
    expect((await list()).suppressed).toBe(2)
  })

  it('captures a finding as a report when no profile can be recorded, with the reason', async () => {
    const { profile, list } = start({})
    const finding = { rule: 'slow-request', time: 0, reason: 'slow', details: { status: 200 } } as const
    const kept = await profile(finding, { type: 'wall' })
    expect(kept).toMatchObject({ type: 'report', details: { status: 200, missingProfile: 'Not available' } })
    expect((await list()).captures).toEqual([kept])
  })
})
