import { connect } from 'node:net'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

describe('a process in an endless loop', () => {
  const start = () => startService({ stall: '500ms', burns: true })

  it('is profiled through the port of the watchdog, one caller at a time, and goes on afterwards', async () => {
    const { child, send, sendWatchdog, probe, loop } = await start()
    const release = await loop()
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => sendWatchdog('profile?seconds=2&format=folded')),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...new Array(9).fill(409)])
    const profile = responses.find(({ status }) => status === 200)?.body
    expect(profile).toMatch(/^main;.*;loopForever .* \d+$/m)
    expect(profile).toMatch(/^worker \d+ burner;.*;burn .* \d+$/m)
    for (const { status, body } of responses) {
      if (status === 409) expect(JSON.parse(body).detail).toMatch(/^Another profile is in progress until 20.*Z\.$/)
    }
    const blocked = { status: 503, body: expect.stringContaining('at loopForever (') }
    await expect.poll(probe).toMatchObject(blocked)
    await release()
    await expect.poll(async () => (await probe()).status).toBe(200)
    expect(await send('profile?seconds=0.1')).toMatchObject({ status: 200 })
    expect(await send('threaddump')).toMatchObject({ status: 200 })
    expect(child.process.exitCode).toBeNull()
  })

  it('is profiled for the next caller when one leaves', async () => {
    const { watchdogPort, sendWatchdog, loop } = await start()
    const release = await loop()
    const client = connect(watchdogPort, '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.write(
      'GET /management/profile?seconds=300 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer let-me-in\r\n\r\n',
    )
    const status = async () => (await sendWatchdog('profile?seconds=0.1')).status
    await expect.poll(status).toBe(409)
    client.destroy()
    await expect.poll(status).toBe(200)
    await release()
  })
})
