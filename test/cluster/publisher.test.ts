import { expect, it, vi } from 'vitest'
import type { MemberFile } from '../../src/cluster/files/member-file.ts'
import type { MemberState } from '../../src/cluster/member-image.ts'
import { createPublisher } from '../../src/cluster/publisher.ts'

const state: MemberState = { readiness: 'ACCEPTING_TRAFFIC', liveness: 'CORRECT', isFinal: false }

/** Creates a publisher whose source is refreshed by a function, and counts what it does. */
function publisherOf(refresh: () => Promise<void>, counted = false) {
  const commit = vi.fn<MemberFile['commit']>()
  const refreshes = vi.fn(refresh)
  const failed = vi.fn()
  const file = { commit, heartbeat() {} } as unknown as MemberFile
  const copier = {
    *copy() {
      yield
      return counted
    },
  }
  const publisher = createPublisher({ file, copier, refresh: refreshes, state: () => state, failed })
  return { publisher, commit, refreshes, failed }
}

it('a source whose refresh rejects is reported, and what was counted is written', async () => {
  const error = new Error('the source is away')
  const { publisher, commit, failed } = publisherOf(() => Promise.reject(error))
  await publisher.publish()
  expect(commit).toHaveBeenCalledWith(state)
  expect(failed).toHaveBeenCalledWith(error)
  // A round refreshes too: a rejection there would end the process.
  await publisher.publishRound(true)
  expect(failed).toHaveBeenCalledTimes(2)
})

it('a source whose refresh hangs is asked once, and what was counted is written meanwhile', async () => {
  const { publisher, commit, refreshes } = publisherOf(() => new Promise(() => {}))
  void publisher.publish()
  for (let round = 0; round < 15; round++) await publisher.publishRound(round % 5 === 0)
  expect(commit).toHaveBeenCalledTimes(15)
  expect(refreshes).toHaveBeenCalledTimes(1)
})

it('a round without gauges asks no source to refresh', async () => {
  const { publisher, commit, refreshes } = publisherOf(async () => {})
  await publisher.publishRound(false)
  expect(commit).toHaveBeenCalledTimes(1)
  expect(refreshes).not.toHaveBeenCalled()
})

it.each([true, false])('a round returns %s if that is whether something was counted', async (counted) => {
  const { publisher } = publisherOf(async () => {}, counted)
  expect(await publisher.publishRound(false)).toBe(counted)
})

it('a round that fails is no sign that nothing is counted', async () => {
  const { publisher, commit, failed } = publisherOf(async () => {})
  commit.mockImplementation(() => {
    throw new Error('the disk is full')
  })
  expect(await publisher.publishRound(false)).toBe(true)
  expect(failed).toHaveBeenCalledTimes(1)
  expect(publisher.isFailing()).toBe(true)
})

it.each([true, false])('a round beside another one shares its write and its result, %s', async (counted) => {
  const { publisher, commit } = publisherOf(async () => {}, counted)
  const rounds = [publisher.publishRound(false), publisher.publishRound(false)]
  expect(await Promise.all(rounds)).toEqual([counted, counted])
  expect(commit).toHaveBeenCalledTimes(1)
})
