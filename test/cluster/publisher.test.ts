import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import type { MemberFile } from '../../src/cluster/files/member-file.ts'
import type { MemberState } from '../../src/cluster/member-image.ts'
import { startPublisher } from '../../src/cluster/publisher.ts'
import { createManualClock } from '../support/manual-clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const state: MemberState = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false }

/** Starts a publisher whose source is refreshed by a function, and counts what it does. */
function publisherOf(refresh: () => Promise<void>) {
  const commit = vi.fn<MemberFile['commit']>()
  const refreshes = vi.fn(refresh)
  const failed = vi.fn()
  const file = { commit, heartbeat() {} } as unknown as MemberFile
  const clock = createManualClock()
  const copier = { *copy() {} }
  const publisher = startPublisher({ file, copier, refresh: refreshes, state: () => state, failed }, clock)
  onTestFinished(() => publisher.stop())
  const passSecond = async () => {
    for (let time = 0; time < 5; time++) {
      clock.advance(200)
      await vi.advanceTimersByTimeAsync(200)
    }
  }
  return { publisher, commit, refreshes, failed, passSecond }
}

it('a source whose refresh rejects is reported, and what was counted is written', async () => {
  const error = new Error('the source is away')
  const { publisher, commit, failed, passSecond } = publisherOf(() => Promise.reject(error))
  await publisher.publish()
  expect(commit).toHaveBeenCalledWith(state)
  expect(failed).toHaveBeenCalledWith(error)
  // The timer refreshes too: a rejection there would end the process.
  await passSecond()
  expect(failed).toHaveBeenCalledTimes(2)
})

it('a source whose refresh hangs is asked once, and what was counted is written meanwhile', async () => {
  const { publisher, commit, refreshes, passSecond } = publisherOf(() => new Promise(() => {}))
  void publisher.publish()
  for (let second = 0; second < 3; second++) await passSecond()
  expect(commit).toHaveBeenCalledTimes(15)
  expect(refreshes).toHaveBeenCalledTimes(1)
})
