import { afterEach, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'
import { freePort } from '../support/free-port.ts'
import { type Reply, type ScriptedServer, startScriptedServer } from './scripted-server.ts'

const servers: ScriptedServer[] = []
let child: Child | undefined
afterEach(async () => {
  await child?.kill()
  for (const server of servers.splice(0)) await server.dispose()
})

async function startServer(): Promise<ScriptedServer> {
  const server = await startScriptedServer()
  servers.push(server)
  return server
}

const modulePath = built('build/node_modules/upkeep/dist/spring-boot-admin.js')

/** Resolves in the program once its input has ended; then nothing of the input keeps it alive. */
const untilTold = "await new Promise((resolve) => process.stdin.resume().once('end', resolve))"

/**
 * Runs a program that registers at all URLs with a timeout of an hour, and then does what is said. Its input ends when
 * `ready` resolves.
 */
async function run(
  urls: readonly string[],
  end: string,
  ready: (child: Child) => unknown = () => undefined,
): Promise<number | NodeJS.Signals | null> {
  const program = `
    import { registerAtSpringBootAdmin } from ${JSON.stringify(modulePath)}
    const registration = registerAtSpringBootAdmin(
      { application: { name: 'orders' }, report: console.error },
      {
        url: ${JSON.stringify(urls)},
        ...{ registerOnce: false, managementUrl: 'http://orders:3000', period: '5ms', timeout: '1h' },
      },
    )
    ${end}
    console.log('done')
  `
  child = startChild(process.execPath, ['--input-type=module', '--eval', program])
  await ready(child)
  child.process.stdin?.end()
  const code = await child.ended
  expect(child.out.lines).toEqual(['done'])
  return code
}

describe('a registered process', () => {
  // It would be ended by the limit of the test, were the process kept alive.
  it('exits when its work is done, with servers that accept, hang, send half a response, reset or fail', async () => {
    const replies: readonly (Reply | undefined)[] = [undefined, 'hang', 'hang after head', 'reset', { status: 503 }]
    const servers = await Promise.all(
      replies.map(async (reply) => {
        const server = await startServer()
        server.respondWith(reply)
        return server
      }),
    )
    const away = `http://127.0.0.1:${await freePort()}`
    const all = [...servers.map(({ url }) => url), away]
    const asked = async (running: Child) => {
      await Promise.all(servers.map((server) => server.arrived(1)))
      await running.err.line(/ECONNREFUSED/)
    }
    expect(await run(all, untilTold, asked)).toBe(0)
  })

  it('has left the server when close() resolves', async () => {
    const server = await startServer()
    expect(await run([server.url], `${untilTold}\nawait registration.close()`, () => server.arrived(1))).toBe(0)
    expect(server.requests.at(-1)?.method).toBe('DELETE')
  })
})
