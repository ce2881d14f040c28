import { connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { createRawClient, type RawResponse } from '../support/raw-client.ts'
import { type Service, startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

/** Sends requests to the application, eight at a time, until something has settled. Returns their statuses. */
async function loadUntil(settled: Promise<unknown>, { port }: Service): Promise<readonly number[]> {
  const send = createRawClient(port)
  const statuses: number[] = []
  let isSettled = false
  const end = () => {
    isSettled = true
  }
  settled.then(end, end)
  const client = async (): Promise<void> => {
    while (!isSettled) statuses.push((await send({ target: '/orders/1' })).status)
  }
  await Promise.all(Array.from({ length: 8 }, client))
  return statuses
}

const times = <T>(count: number, create: () => T): readonly T[] => Array.from({ length: count }, create)

/** Returns how many responses have each status. */
function countStatuses(responses: readonly RawResponse[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const detailOf = ({ body }: RawResponse): string => JSON.parse(body).detail

describe('a service under load', () => {
  it('responds to each request while a profile is recorded, and to one caller of fifty with the profile', async () => {
    const service = await startService({})
    const began = Date.now()
    const profiles = Promise.all(times(50, () => service.send('profile?seconds=2&format=folded')))
    const statuses = await loadUntil(profiles, service)
    const responses = await profiles
    expect(statuses.length).toBeGreaterThan(100)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 49 })
    expect(responses.find(({ status }) => status === 200)?.body).toMatch(/^main;.*;work .* \d+$/m)
    for (const refused of responses.filter(({ status }) => status === 409)) {
      const [, until = ''] = /^Another profile is in progress until (.*)\.$/.exec(detailOf(refused)) ?? []
      expect(Date.parse(until)).toBeGreaterThan(began + 1_999)
      expect(refused.headers['retry-after']).toMatch(/^[12]$/)
    }
    expect(await service.send('profile?seconds=0.1')).toMatchObject({ status: 200 })
    expect(service.child.err.lines).toEqual([])
  })

  it('responds to each request while its threads are dumped, and to each caller with a dump', async () => {
    const service = await startService({ burns: true })
    const dumps = Promise.all(times(50, () => service.send('threaddump')))
    const statuses = await loadUntil(dumps, service)
    const responses = await dumps
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(countStatuses(responses)).toEqual({ 200: 50 })
    for (const { body } of responses) expect(JSON.parse(body).threads[1].stackTrace[0].methodName).toBe('burn')
  })

  it('takes one heap snapshot for twenty callers, and goes on', async () => {
    const service = await startService({})
    const dumps = Promise.all(times(20, () => service.send('heapdump')))
    const statuses = await loadUntil(dumps, service)
    const responses = await dumps
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(countStatuses(responses)).toEqual({ 200: 1, 409: 19 })
    for (const refused of responses.filter(({ status }) => status === 409)) {
      expect(detailOf(refused)).toBe('Another heap snapshot is in progress.')
      expect(refused.headers['retry-after']).toBe('10')
    }
    expect(await service.send('heapdump')).toMatchObject({ status: 200 })
    expect(service.child.err.lines).toEqual([])
  })

  it('dumps threads and the heap during a profile, which has what ran between', async () => {
    const service = await startService({ burns: true })
    const profile = service.send('profile?seconds=3&format=folded')
    await expect.poll(async () => (await service.send('profile?seconds=0.1')).status).toBe(409)
    const dumps = async () => {
      // One after the other: while the heap is dumped, the threads can only be seen if they respond before.
      expect(await service.send('threaddump')).toMatchObject({ status: 200, body: expect.stringContaining('"burn"') })
      expect((await service.send('heapdump')).status).toBe(200)
    }
    const [statuses] = await Promise.all([loadUntil(profile, service), dumps()])
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(await profile).toMatchObject({ status: 200, body: expect.stringMatching(/;burn .* \d+$/m) })
    expect(await service.send('health')).toMatchObject({ status: 200 })
  })
})

describe('a client that leaves', () => {
  it.each([
    ['profile?seconds=300', 'profile?seconds=0.1'],
    ['profile?seconds=300&type=heap', 'profile?seconds=0.1&type=heap'],
  ])('ends %s, and another may begin', async (left, next) => {
    const { port, send } = await startService({})
    const client = connect(port, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.write(`GET /management/${left} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer let-me-in\r\n\r\n`)
    await expect.poll(async () => (await send(next)).status).toBe(409)
    client.destroy()
    await expect.poll(async () => (await send(next)).status).toBe(200)
  })
})
