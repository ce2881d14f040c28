import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capture } from 'upkeep/node'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { nextCapture, type RecordedService, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

const off = {
  blockedLoop: false,
  memory: false,
  slowRequest: false,
  errorBurst: false,
  uncaughtException: false,
} as const

const contentOf = async ({ send }: RecordedService, { id }: Capture) => JSON.parse((await send(`captures/${id}`)).body)

/** In memory, if possible: a process that ends waits for a second at most until its report is written. */
function temporaryDirectory(): string {
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'captures')
}

describe('the flight recorder of slow requests', () => {
  const recorder = { ...off, slowRequest: '300ms', duration: '500ms' } as const

  it('captures the route, the duration and a profile of the time after it', async () => {
    const service = await startRecorded({ recorder })
    await service.request('/orders/7/slow?ms=600')
    const capture = await nextCapture(service)
    expect(capture).toMatchObject({
      ...{ rule: 'slow-request', type: 'wall' },
      reason: expect.stringMatching(/^GET \/orders\/:id\/slow took \d+ms$/),
      details: { method: 'GET', template: '/orders/:id/slow', status: 200, isAborted: false },
    })
    expect(capture.details['milliseconds']).toBeGreaterThanOrEqual(590)
    expect((await service.send(`captures/${capture.id}?format=cpuprofile`)).body).toContain('"nodes"')
    expect(service.child.out.lines.filter((line) => line.startsWith('captured'))).toHaveLength(1)
  })

  it('leaves out streams of events', async () => {
    const service = await startRecorded({ recorder })
    await service.request('/orders/7/events', { accept: 'text/event-stream' })
    await service.request('/orders/7/set-events')
    await service.request('/orders/7/slow?ms=600')
    expect((await nextCapture(service)).details['template']).toBe('/orders/:id/slow')
  })
})

describe('the flight recorder of errors', () => {
  it('captures the last failed requests of a burst, once per interval', async () => {
    const service = await startRecorded({ recorder: { ...off, errorBurst: { count: 3, within: '1m' } } })
    for (let time = 0; time < 10; time += 1) await service.request('/orders/7/fail')
    const capture = await nextCapture(service)
    expect(capture).toMatchObject({
      ...{ rule: 'error-burst', type: 'report', reason: '3 requests failed within 1m' },
      details: { count: 3, requests: { 'GET /orders/:id/fail: 500': 3 } },
    })
    const { requests } = await contentOf(service, capture)
    expect(requests).toHaveLength(3)
    expect(requests[0]).toMatchObject({
      ...{ method: 'GET', template: '/orders/:id/fail', status: 500, milliseconds: expect.any(Number) },
      error: {
        name: 'Error',
        code: 'E_FAILED',
        stack: expect.arrayContaining([expect.objectContaining({ url: expect.any(String) })]),
      },
    })
    expect(JSON.parse((await service.send('captures')).body).captures).toHaveLength(1)
  })

  it('captures a burst of log records of level error', async () => {
    const service = await startRecorded({ recorder: { ...off, errorBurst: { count: 20 } } })
    service.perform('log 25')
    expect(await nextCapture(service)).toMatchObject({ reason: '20 errors were logged within 10s', type: 'report' })
  })
})

describe('the flight recorder of uncaught exceptions', () => {
  const recorder = { ...off, uncaughtException: true }

  it.each([
    ['fail', 'uncaughtException', 'uncaught TypeError (E_BROKEN)', 'explode'],
    ['reject', 'unhandledRejection', 'uncaught RangeError', 'reject'],
  ])('has written and announced a report before the process ends (%s)', async (operation, origin, reason, name) => {
    const directory = temporaryDirectory()
    const service = await startRecorded({ recorder: { ...recorder, directory } })
    service.perform(operation)
    expect(await service.child.ended).toBe(1)
    const capture = await nextCapture(service)
    expect(capture).toMatchObject({ rule: 'uncaught-exception', type: 'report', reason, details: { origin } })
    expect(service.child.out.lines).toContainEqual(`reported recorder: ${reason}: captures/${capture.id}`)
    expect(readdirSync(directory).sort()).toEqual([`${capture.id}.capture.json`, `${capture.id}.json`])
    const text = readFileSync(join(directory, `${capture.id}.json`), 'utf8')
    expect(Buffer.byteLength(text)).toBe(capture.bytes)
    const report = JSON.parse(text)
    expect(report).toMatchObject({
      ...{ origin, process: { pid: service.child.process.pid }, heap: { spaces: expect.any(Array) } },
      ...{ memory: { rss: expect.any(Number) }, resourceUsage: { userCPUTime: expect.any(Number) } },
    })
    expect(report.exception.stack[0].functionName).toContain(name)
  })

  it('announces the report of a process that goes on once, lists it, and counts it', async () => {
    const service = await startRecorded({ recorder, survives: true })
    service.perform('fail')
    const capture = await nextCapture(service)
    await service.child.out.line(/^survived$/)
    expect(JSON.parse((await service.send('captures')).body).captures).toEqual([capture])
    expect((await contentOf(service, capture)).exception.name).toBe('TypeError')
    service.perform('fail')
    await service.child.out.line(/^survived$/, 2)
    expect(JSON.parse((await service.send('captures')).body)).toMatchObject({ captures: [capture], suppressed: 1 })
    expect(service.child.out.lines.filter((line) => line.startsWith('captured'))).toHaveLength(1)
    const counted = JSON.parse((await service.send('metrics/upkeep.captures?tag=rule:uncaught-exception')).body)
    expect(counted.measurements).toEqual([{ statistic: 'COUNT', value: 1 }])
  })
})

describe('captures', () => {
  it('contain no secret of the environment, arguments, requests, errors and logs', async () => {
    const canary = 'canary-7f3a9c1e'
    const directory = temporaryDirectory()
    const service = await startRecorded({
      recorder: {
        ...{ blockedLoop: '500ms', slowRequest: '300ms', errorBurst: { count: 3 } },
        ...{ duration: '1s', interval: '1ms', directory },
      },
      ...{ survives: true, args: [`--password=${canary}`], env: { CANARY: canary } },
    })
    const headers = { authorization: `Bearer ${canary}`, cookie: `session=${canary}`, [`x-${canary}`]: canary }
    const query = `token=${canary}&${canary}=1`
    for (let time = 0; time < 3; time += 1) await service.request(`/orders/${canary}/fail?${query}`, headers)
    service.perform('log 5')
    service.perform('fail')
    await nextCapture(service, /uncaught-exception/)
    await nextCapture(service, /error-burst/)
    await service.request(`/orders/${canary}/slow?ms=600&${query}`, headers)
    await nextCapture(service, /slow-request/)
    await service.burnAWhile()
    await nextCapture(service, /burnTheLoop/)

    const left: string[] = [...service.child.out.lines]
    const list = await service.send('captures')
    left.push(list.body)
    const { captures }: { captures: readonly Capture[] } = JSON.parse(list.body)
    for (const { id, type } of captures) {
      const formats = type === 'report' ? [''] : ['?format=cpuprofile', '?format=folded', '?format=flamegraph']
      for (const format of formats) left.push((await service.send(`captures/${id}${format}`)).body)
    }
    for (const name of readdirSync(directory)) left.push(name, readFileSync(join(directory, name), 'latin1'))
    expect(new Set(captures.map(({ rule }) => rule)).size).toBe(4)
    expect(left.join('\n').length).toBeGreaterThan(10_000)
    expect(left.filter((text) => text.includes('canary'))).toEqual([])
  })
})
