import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAdminServer } from '../../src/spring-boot-admin/admin-server.ts'
import { instanceId, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
beforeEach(async () => {
  server = await startScriptedServer()
})
afterEach(() => server.dispose())

describe('a request that cannot be sent', () => {
  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['when it is created', { 'a b': 'c' }],
    ['at its end', { Trailer: 'X' }],
  ])('because node:http throws %s, fails without a rejection', async (_, headers) => {
    const unable = createAdminServer(server.url, { headers, timeoutMilliseconds: 200 })
    const failed = { kind: 'unreachable', reason: expect.stringContaining('Error: ') }
    expect(await unable.register('{}')).toEqual(failed)
    expect(await unable.deregister(instanceId)).toEqual(failed)
    expect(server.requests).toEqual([])
  })
})
