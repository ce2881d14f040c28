import { createServer, type Server } from 'node:http'
import { createManagement } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '../../support/child.ts'
import { adapt, readDocumented } from '../../support/documented.ts'
import { listenOn } from '../../support/listen.ts'

describe('the HEALTHCHECK for Docker', () => {
  const instruction = readDocumented('guides/probes.md', 'Dockerfile').replaceAll('\\\n', '')
  const management = createManagement()
  let server: Server
  let port: number

  beforeEach(async () => {
    server = createServer(manage(management))
    port = await listenOn(server)
  })
  afterEach(() => void server.close())

  /** Runs the command as Docker does, without a shell; what it ends with is 0 for healthy and 1 for unhealthy. */
  async function check(): Promise<unknown> {
    const [, command = ''] = /^HEALTHCHECK(?: +--[a-z-]+=\w+)+ +CMD (\[.*\])\s*$/.exec(instruction) ?? []
    const [program = '', ...args]: readonly string[] = JSON.parse(adapt(command, { ':3000/': `:${port}/` }))
    expect(program).toBe('node')
    return await startChild(process.execPath, args).ended
  }

  it('reports a ready instance as healthy', async () => {
    expect(await check()).toBe(0)
  })

  it('reports an instance that refuses traffic as unhealthy', async () => {
    management.availability.refuseTraffic()
    expect(await check()).toBe(1)
    management.availability.acceptTraffic()
  })

  it('reports an instance that does not listen as unhealthy', async () => {
    server.close()
    expect(await check()).toBe(1)
  })

  it('has a shorter timeout than the health check of Docker', async () => {
    const seconds = (pattern: RegExp) => Number(pattern.exec(instruction)?.[1])
    expect(seconds(/AbortSignal\.timeout\((\d+)\)/)).toBeLessThan(seconds(/--timeout=(\d+)s/) * 1_000)
  })
})
