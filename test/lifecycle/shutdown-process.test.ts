import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import type { Child } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { startInstance } from '../support/instance.ts'
import { createRawClient } from '../support/raw-client.ts'

const probe = (name: string) => ({ target: `/management/health/${name}` })

describe('a process', () => {
  let child: Child

  beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))
  afterEach(() => child.kill())

  it('responds to probes during the delay, and exits immediately on a second signal', async () => {
    const port = await freePort()
    child = await startInstance(port, '1h')
    child.process.kill('SIGTERM')
    await child.err.line(/^upkeep: shutting down \(SIGTERM\): serves for 3600000ms, exits within 3612000ms$/)
    const send = createRawClient(port)
    expect((await send(probe('readiness'))).status).toBe(503)
    expect((await send(probe('liveness'))).status).toBe(200)
    child.process.kill('SIGINT')
    expect(await child.ended).toBe(130)
    expect(child.err.lines).toContain('upkeep: shutdown: forced by SIGINT')
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 after %s', async (signal) => {
    child = await startInstance(await freePort(), '0ms')
    child.process.kill(signal)
    expect(await child.ended).toBe(0)
  })
})
