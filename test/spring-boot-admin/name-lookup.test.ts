import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createManagement } from 'upkeep'
import { type Registration, registerAtSpringBootAdmin } from 'upkeep/spring-boot-admin'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { instanceId, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

type Callback = (error: Error | null, address: readonly dns.LookupAddress[]) => void

let server: ScriptedServer
let registrations: Registration[]
let spy: MockInstance
let pending: Callback[]
beforeEach(async () => {
  server = await startScriptedServer()
  registrations = []
  pending = []
  spy = vi.spyOn(dns, 'lookup')
  look((callback) => void pending.push(callback))
})
afterEach(async () => {
  look(resolve)
  for (const callback of pending) resolve(callback)
  await Promise.all(registrations.map((each) => each.close()))
  spy.mockRestore()
  syncBuiltinESMExports()
  await server.dispose()
})

/** Replaces the lookup of the process. */
function look(lookup: (callback: Callback) => void): void {
  spy.mockImplementation(((_name: string, _options: object, callback: Callback) => lookup(callback)) as never)
  syncBuiltinESMExports()
}

function resolve(callback: Callback): void {
  callback(null, [{ address: '127.0.0.1', family: 4 }])
}

function register(...names: readonly string[]): readonly string[] {
  const reports: string[] = []
  const report = (message: string) => void reports.push(message)
  const management = createManagement({ application: { name: 'orders' }, metrics: { runtime: false }, report })
  const url = names.map((name) => `http://${name}:${server.port}`)
  const managementUrl = 'http://orders:3000/management'
  const timing = { period: '10ms', timeout: '50ms' } as const
  registrations.push(registerAtSpringBootAdmin(management, { url, managementUrl, registerOnce: false, ...timing }))
  return reports
}

/** Longer than a busy machine takes. */
const patiently = { timeout: 180_000, interval: 5 }

/** Until each registration has failed. */
const untilReported = (count: number, ...reports: readonly (readonly string[])[]) =>
  vi.waitUntil(() => reports.flat().length >= count, patiently)

describe('the lookup of the name of a server', () => {
  it('that hangs is the only one, of all servers and registrations', async () => {
    const reports = [register('admin-1.test', 'admin-2.test'), register('admin-3.test')]
    await untilReported(3, ...reports)
    expect(pending).toHaveLength(1)
    expect(reports.flat()).toHaveLength(3)
    for (const line of reports.flat()) expect(line).toContain('TimeoutError: no response within 50 ms')
    expect(server.requests).toEqual([])
  })

  it('does not delay a server with an address', async () => {
    register('admin.test', '127.0.0.1')
    await server.arrived(3)
    expect(pending).toHaveLength(1)
  })

  it('lets the next begin when it ends', async () => {
    const reports = register('admin-1.test', 'admin-2.test', 'admin-3.test')
    for (let ended = 0; ended < 5; ended++) {
      await vi.waitUntil(() => pending.length > 0, patiently)
      expect(pending).toHaveLength(1)
      pending.pop()?.(new Error('no such name'), [])
    }
    look(resolve)
    for (const callback of pending.splice(0)) resolve(callback)
    await vi.waitUntil(() => reports.filter((line) => line.endsWith(`as ${instanceId}`)).length === 3, patiently)
  })

  it('is not begun for requests that have timed out', async () => {
    const reports = register('admin-1.test', 'admin-2.test', 'admin-3.test')
    await untilReported(3, reports)
    expect(spy).toHaveBeenCalledTimes(1)
    look(resolve)
    for (const callback of pending.splice(0)) resolve(callback)
    expect(spy.mock.calls.length).toBeLessThanOrEqual(4)
    await server.arrived(6)
  })

  it('that throws is reported, and is tried again', async () => {
    look(() => {
      throw new Error('no resolver')
    })
    const reports = register('admin.test')
    await vi.waitUntil(() => reports.length > 0, patiently)
    expect(reports[0]).toContain('Error: no resolver')
    look(resolve)
    await server.arrived(2)
  })
})
