import { expect, it, onTestFinished, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import type { MemberFile } from '../../src/cluster/files/group-interface.ts'
import type { MemberState } from '../../src/cluster/member-image.ts'
import { startPublisher } from '../../src/cluster/publisher.ts'

const state: MemberState = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false }

/** Starts a publisher whose source is refreshed by a function, and counts what it does. */
function publisherOf(refresh: () => Promise<void>) {
  const commit = vi.fn<MemberFile['commit']>()
  const refreshes = vi.fn(refresh)
  const failed = vi.fn()
  const file = { commit, heartbeat() {} } as unknown as MemberFile
  const copier = { *copy() {} }
  const publisher = startPublisher({ file, copier, refresh: refreshes, state: () => state, failed }, systemClock)
  onTestFinished(() => publisher.stop())
  return { publisher, commit, refreshes, failed }
}

it('a source whose refresh rejects is reported, and what was counted is written', async () => {
  const error = new Error('the source is away')
  const { publisher, commit, failed } = publisherOf(() => Promise.reject(error))
  await publisher.publish()
  expect(commit).toHaveBeenCalledWith(state)
  expect(failed).toHaveBeenCalledWith(error)
  // The timer refreshes too: a rejection there would end the process.
  await vi.waitFor(() => expect(failed.mock.calls.length).toBeGreaterThan(1), 5_000)
})

it('a source whose refresh hangs is asked once, and what was counted is written meanwhile', async () => {
  const { publisher, commit, refreshes } = publisherOf(() => new Promise(() => {}))
  void publisher.publish()
  await vi.waitFor(() => expect(commit.mock.calls.length).toBeGreaterThan(6), 5_000)
  expect(refreshes).toHaveBeenCalledTimes(1)
})
