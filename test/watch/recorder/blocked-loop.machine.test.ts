import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Capture } from 'upkeep/node'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'
import { eventually } from '../../support/eventually.ts'
import { createFifo } from '../../support/fifo.ts'
import type { RawResponse } from '../../support/raw-client.ts'
import { nextCapture, startRecorded } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

const functionsOf = ({ body }: RawResponse): readonly string[] =>
  JSON.parse(body).nodes.map(({ callFrame }: { callFrame: { functionName: string } }) => callFrame.functionName)

// The start of a process may block its event loop, too: on a busy machine that is captured first.
const recorder = { blockedLoop: '500ms', interval: '1ms' } as const
const burnt = /burnTheLoop/
const longBlock = /"blockedMilliseconds":\d{4,},/

describe('the flight recorder of a blocked event loop', () => {
  it('captures a profile of the block and the stack that holds it, and announces them', async () => {
    const service = await startRecorded({ recorder })
    await service.burnAWhile()
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
    expect(Number(capture.details['blockedMilliseconds'])).toBeGreaterThan(1_500)
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

  it('names the function in the console, with a link to the capture', async () => {
    const service = await startRecorded({ recorder })
    await service.burnAWhile()
    const { id } = await nextCapture(service, burnt)
    const { findings } = JSON.parse((await service.send('console/overview')).body)
    expect(findings).toContainEqual({
      kind: 'event-loop',
      severity: expect.stringMatching(/^(critical|warning)$/),
      text: expect.stringMatching(
        /^The event loop was blocked for \d+(\.\d)? s by (?:burnTheLoop|isLooping), .*:\d+, in the last minute$/,
      ),
      link: `#/diagnostics?capture=${id}`,
    })
  })

  it('downloads a capture in each format of a profile, pprof by default', async () => {
    const service = await startRecorded({ recorder })
    await service.burnAWhile()
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
    await service.burnAWhile()
    const { id } = await nextCapture(service, longBlock)
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
    const { burn, sendToWatchdog } = await startRecorded({ recorder: { ...recorder, duration: '1s' } })
    await burn()
    const down = await eventually(async () => {
      const response = await sendToWatchdog('health/liveness')
      expect(response).toMatchObject({ status: 503, body: expect.stringContaining('"capture"') })
      return response
    })
    const { capture: path } = JSON.parse(down.body).details
    expect(path).toMatch(/^\/management\/captures\/\d{8}T\d{6}-blocked-loop-[\da-f]{6}$/)
    const target = path.slice('/management/'.length)
    expect(functionsOf(await sendToWatchdog(`${target}?format=cpuprofile`))).toContain('burnTheLoop')
    const [latest] = JSON.parse((await sendToWatchdog('captures')).body).captures
    expect(latest).toMatchObject({ details: { isOver: false }, reason: expect.stringContaining('has been blocked') })
    expect(latest.details.stack[0]).toMatch(/^at (?:burnTheLoop|isLooping) \(/)
  })

  it('captures what is known of a block inside native code, which cannot be profiled', async () => {
    const service = await startRecorded({ recorder })
    const { path, untilRead } = createFifo()
    service.perform(`read ${path}`)
    const end = await untilRead()
    await service.untilBlocked()
    end()
    // On a busy machine another block may last as long, which is profiled.
    const isMissed = /"missingProfile":"it was over before a profile began"/
    const { id, type, details } = await nextCapture(service, new RegExp(`${longBlock.source}.*${isMissed.source}`))
    expect(type).toBe('report')
    // The thread pauses when the call returns, if that is while its stack is being read.
    const [top = 'at [eval1]'] = details['stack'] as readonly string[]
    expect(top).toMatch(/^at .*\[eval1\]/)
    expect(JSON.parse((await service.send(`captures/${id}`)).body)).toEqual(details)
    expect(await service.send(`captures/${id}?format=pprof`)).toMatchObject({ status: 400 })
  })

  it('captures a block without a profile while another profile is recorded', async () => {
    const service = await startRecorded({ recorder })
    const client = connect(service.watchdogPort, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.write(
      'GET /management/profile?seconds=300 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer let-me-in\r\n\r\n',
    )
    await expect.poll(async () => (await service.sendToWatchdog('profile?seconds=0.1')).status).toBe(409)
    await service.burnAWhile()
    const { type, details } = await nextCapture(service, burnt)
    expect([type, details['missingProfile']]).toEqual([
      'report',
      expect.stringMatching(/^Another profile is in progress until /),
    ])
  })

  it('reads no stack while a debugger may be attached, and profiles nevertheless', async () => {
    const service = await startRecorded({ recorder, flags: ['--inspect=127.0.0.1:0'] })
    await service.burnAWhile({ hasStack: false })
    const { id, type, details } = await nextCapture(service, longBlock)
    expect([type, details['stack']]).toEqual(['wall', []])
    expect(functionsOf(await service.send(`captures/${id}?format=cpuprofile`))).toContain('burnTheLoop')
  })

  it('does not capture a heap dump, which blocks the loop on purpose', async () => {
    const service = await startRecorded({ recorder: { ...recorder, blockedLoop: '100ms' } })
    service.perform('grow')
    await service.send('health')
    const before = Date.now()
    const dump = await service.send('heapdump')
    const [, milliseconds] = /dur=(\d+)/.exec(dump.headers['server-timing'] ?? '') ?? []
    // It would be captured.
    expect(Number(milliseconds)).toBeGreaterThan(150)
    const { captures }: { captures: readonly Capture[] } = JSON.parse((await service.send('captures')).body)
    // On a busy machine something else may block the loop, but not for as long.
    const since = captures.filter(({ time }) => Date.parse(time) >= before)
    for (const { details } of since) expect(details['blockedMilliseconds']).toBeLessThan(Number(milliseconds) * 0.8)
  })

  it('does not keep the process alive', async () => {
    const { child, perform } = await startRecorded({ recorder })
    perform('end')
    expect(await child.ended).toBe(0)
  })
})
