import { gunzipSync } from 'node:zlib'
import type { Capture } from 'upkeep/node'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { built } from '../../support/built.ts'
import type { RawResponse } from '../../support/raw-client.ts'
import { nextCapture, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

const functionsOf = ({ body }: RawResponse): readonly string[] =>
  JSON.parse(body).nodes.map(({ callFrame }: { callFrame: { functionName: string } }) => callFrame.functionName)

/** Requests until a response is the expected one. */
function until(request: () => Promise<RawResponse>, isExpected: (response: RawResponse) => boolean) {
  const attempt = async () => {
    const response = await request()
    if (!isExpected(response)) throw new Error(`${response.status} ${response.body}`)
    return response
  }
  return vi.waitFor(attempt, { timeout: 15_000, interval: 50 })
}

// The start of a process may block its event loop, too: on a busy machine that is captured first.
const recorder = { blockedLoop: '500ms', interval: '1ms' } as const
const burnt = /burnTheLoop/

// Repeated: with more work than processors, a block of the start can continue into that of a test.
describe('the flight recorder of a blocked event loop', { timeout: 60_000, retry: 2 }, () => {
  it('captures a profile of the block and the stack that holds it, and announces them', async () => {
    const service = await startRecorded({ recorder })
    service.perform('burn 3000')
    const capture = await nextCapture(service, burnt)
    expect(capture).toMatchObject({
      id: expect.stringMatching(/^\d{8}T\d{6}-blocked-loop-[\da-f]{6}$/),
      ...{
        rule: 'blocked-loop',
        type: 'wall',
        reason: expect.stringMatching(/^the event loop was blocked for \d+ms$/),
      },
      details: { isOver: true, stack: expect.arrayContaining([expect.stringMatching(/^at burnTheLoop \(/)]) },
    })
    expect(Number(capture.details['blockedMilliseconds'])).toBeGreaterThan(2_000)
    expect(service.child.out.lines).toContainEqual(`reported recorder: ${capture.reason}: captures/${capture.id}`)
    const list = await service.send('captures')
    expect(list).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(JSON.parse(list.body)).toEqual({
      ...{ captures: expect.arrayContaining([capture]), suppressed: expect.any(Number), dropped: 0 },
    })
    const profile = await service.send(`captures/${capture.id}?format=cpuprofile`)
    expect(profile.headers['content-disposition']).toBe(`attachment; filename="${capture.id}.cpuprofile"`)
    expect(functionsOf(profile)).toContain('burnTheLoop')
  })

  it('downloads a capture in each format of a profile, pprof by default', async () => {
    const service = await startRecorded({ recorder })
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    for (const [query, type, extension] of [
      ['', 'application/octet-stream', 'pb.gz'],
      ['?format=pprof', 'application/octet-stream', 'pb.gz'],
      ['?format=folded', 'text/plain; charset=utf-8', 'folded'],
      ['?format=flamegraph', 'text/html; charset=utf-8', undefined],
    ]) {
      const { status, headers, body, bytes } = await service.send(`captures/${id}${query}`)
      expect([status, headers['content-type']]).toEqual([200, type])
      expect(headers['content-disposition']).toBe(extension && `attachment; filename="${id}.${extension}"`)
      expect(extension === 'pb.gz' ? gunzipSync(bytes).toString('latin1') : body).toContain('burnTheLoop')
    }
  })

  it('responds with 404 for another id and with 400 for another format', async () => {
    const service = await startRecorded({ recorder })
    service.perform('burn 3000')
    const { id } = await nextCapture(service, burnt)
    for (const path of ['captures/none', 'captures/..%2fetc', `captures/${id}x`]) {
      expect(await service.send(path)).toMatchObject({ status: 404 })
    }
    const refused = await service.send(`captures/${id}?format=svg`)
    expect(refused.status).toBe(400)
    expect(JSON.parse(refused.body).detail).toBe(
      'format: expected one of pprof, cpuprofile, folded, flamegraph, received "svg".',
    )
  })

  it("serves the capture of a loop that never yields on the watchdog's port, linked from its liveness", async () => {
    const { perform, sendToWatchdog } = await startRecorded({
      recorder: { ...recorder, duration: '1s' },
      stall: '600ms',
    })
    perform('forever 0')
    const down = await until(
      () => sendToWatchdog('health/liveness'),
      ({ body }) => body.includes('"capture"'),
    )
    expect(down.status).toBe(503)
    const { capture: path } = JSON.parse(down.body).details
    expect(path).toMatch(/^\/management\/captures\/\d{8}T\d{6}-blocked-loop-[\da-f]{6}$/)
    const target = path.slice('/management/'.length)
    expect(functionsOf(await sendToWatchdog(`${target}?format=cpuprofile`))).toContain('neverYield')
    const [latest] = JSON.parse((await sendToWatchdog('captures')).body).captures
    expect(latest).toMatchObject({ details: { isOver: false }, reason: expect.stringContaining('has been blocked') })
    expect(latest.details.stack[0]).toMatch(/^at neverYield \(/)
  })

  it('captures what is known of a block inside native code, which cannot be profiled', async () => {
    const service = await startRecorded({ recorder })
    service.perform('call 3000')
    const { id, type, details } = await nextCapture(service, /"blockedMilliseconds":[23]\d{3},/)
    expect(type).toBe('report')
    expect(details).toMatchObject({ stack: [], missingProfile: 'it was over before a profile began' })
    expect(JSON.parse((await service.send(`captures/${id}`)).body)).toEqual(details)
    expect(await service.send(`captures/${id}?format=pprof`)).toMatchObject({ status: 400 })
  })

  it('captures a block without a profile while another profile is recorded', async () => {
    const service = await startRecorded({ recorder })
    const profile = service.sendToWatchdog('profile?seconds=6')
    await until(
      () => service.sendToWatchdog('profile?seconds=1'),
      ({ status }) => status === 409,
    )
    service.perform('burn 2000')
    const { type, details } = await nextCapture(service, burnt)
    expect([type, details['missingProfile']]).toEqual([
      'report',
      expect.stringMatching(/^Another profile is in progress until /),
    ])
    expect((await profile).status).toBe(200)
  })

  it('captures at most one block per interval, and counts the others', async () => {
    const service = await startRecorded({ recorder: { blockedLoop: '100ms', interval: '1h' } })
    for (let time = 0; time < 3; time += 1) {
      service.perform('burn 400')
      await service.send('health')
    }
    await nextCapture(service)
    const { captures, suppressed } = JSON.parse((await service.send('captures')).body)
    expect(captures).toHaveLength(1)
    expect(suppressed).toBeGreaterThanOrEqual(2)
  })

  it('keeps the latest captures within their number', async () => {
    const service = await startRecorded({
      recorder: { blockedLoop: '100ms', interval: '1ms', duration: '100ms', maximumCaptures: 2 },
    })
    for (let time = 1; time <= 3; time += 1) {
      service.perform('burn 500')
      await nextCapture(service, /"rule"/, time)
    }
    const { captures, dropped } = JSON.parse((await service.send('captures')).body)
    const announced = service.child.out.lines.flatMap((line) => {
      return line.startsWith('captured ') ? [JSON.parse(line.slice('captured '.length)).id] : []
    })
    expect(captures.map(({ id }: Capture) => id).sort()).toEqual(announced.slice(-2).sort())
    expect(dropped).toBe(announced.length - 2)
    expect(await service.send(`captures/${announced[0]}`)).toMatchObject({ status: 404 })
  })

  it('reads no stack while a debugger may be attached, and profiles nevertheless', async () => {
    const service = await startRecorded({ recorder, flags: ['--inspect=127.0.0.1:0'] })
    service.perform('burn 3000')
    const { id, type, details } = await nextCapture(service, /"blockedMilliseconds":[23]\d{3},/)
    expect([type, details['stack']]).toEqual(['wall', []])
    expect(functionsOf(await service.send(`captures/${id}?format=cpuprofile`))).toContain('burnTheLoop')
  })

  it('does not capture a heap dump, which blocks the loop on purpose', async () => {
    const service = await startRecorded({ recorder: { ...recorder, blockedLoop: '100ms' } })
    await service.send('health')
    const before = Date.now()
    const dump = await service.send('heapdump')
    const [, milliseconds] = /dur=(\d+)/.exec(dump.headers['server-timing'] ?? '') ?? []
    expect(Number(milliseconds)).toBeGreaterThan(150)
    const { captures }: { captures: readonly Capture[] } = JSON.parse((await service.send('captures')).body)
    // On a busy machine something else may block the loop, but not for as long.
    const since = captures.filter(({ time }) => Date.parse(time) >= before)
    for (const { details } of since) expect(details['blockedMilliseconds']).toBeLessThan(Number(milliseconds) * 0.8)
  })

  it('does not keep the process alive', async () => {
    const { child, perform } = await startRecorded({ recorder })
    perform('end 0')
    expect(await child.ended).toBe(0)
  })
})
