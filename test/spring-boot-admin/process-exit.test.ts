import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { type Reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

let server: ScriptedServer
let child: Child | undefined
beforeEach(async () => {
  server = await startScriptedServer()
})
afterEach(async () => {
  await child?.kill()
  await server.dispose()
})

const modulePath = built('build/node_modules/upkeep/dist/spring-boot-admin.js')

/** Runs a program that registers with a timeout of an hour, and then does what is said. */
async function run(url: string, end: string): Promise<number | NodeJS.Signals | null> {
  const program = `
    import { registerAtSpringBootAdmin } from ${JSON.stringify(modulePath)}
    const registration = registerAtSpringBootAdmin(
      { application: { name: 'orders' } },
      { url: ${JSON.stringify(url)}, managementUrl: 'http://orders:3000', period: '5ms', timeout: '1h' },
    )
    ${end}
    console.log('done')
  `
  child = startChild(process.execPath, ['--input-type=module', '--eval', program])
  const code = await child.ended
  expect(child.out.lines).toEqual(['done'])
  return code
}

const forAWhile = 'await new Promise((resolve) => setTimeout(resolve, 100))'

// Each of these would be ended by the limit of the test, were the process kept alive.
describe('a registered process', () => {
  it.each<readonly [string, Reply | undefined]>([
    ['accepts', undefined],
    ['hangs', 'hang'],
    ['sends half a response', 'hang after head'],
    ['resets', 'reset'],
    ['fails', { status: 503 }],
  ])('exits when its work is done, with a server that %s', async (_, reply) => {
    server.respondWith(reply)
    expect(await run(server.url, forAWhile)).toBe(0)
    expect(server.requests.length).toBeGreaterThan(0)
  })

  it('exits when its work is done, without a server', async () => {
    expect(await run(`http://127.0.0.1:${await freePort()}`, forAWhile)).toBe(0)
  })

  it('has left the server when close() resolves', async () => {
    expect(await run(server.url, `${forAWhile}\nawait registration.close()`)).toBe(0)
    expect(server.requests.at(-1)?.method).toBe('DELETE')
  })
})
