import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applicationPort, writeApplication } from '../support/auto-application.ts'
import { built } from '../support/built.ts'
import type { TestServer } from '../support/server-process.ts'

interface Subject {
  /** The client, such as `a Pool of pg`. */
  readonly client: string
  readonly component: string
  /** The packages that the program imports. */
  readonly packages: readonly string[]
  /**
   * Creates the client for `process.env.SERVER_URL`, keeps it as applications do, uses it, and does not end while its
   * server is away.
   */
  readonly program: string
  /** Whether the library has a client before the server responds for the first time. @default true */
  readonly existsBefore?: boolean
}

const inTime = { timeout: 180_000, interval: 50 }

const listen = `
import { createServer } from 'node:http'
const http = createServer((req, res) => res.end())
http.listen(0, '127.0.0.1', () => console.log('port', http.address().port))
`

/** What holds for an application that starts before its server, loses it, and gets it back, without a line of code. */
export function testStatesOfApplication(server: () => TestServer, subject: Subject): void {
  const { client, component, packages, program, existsBefore = true } = subject

  it(`an application with ${client} is ready while its server responds, and always alive`, async () => {
    const { url, start, stop, kill, freeze, thaw } = server()
    const application = await writeApplication({ 'app.mjs': `${program}${listen}` })
    for (const name of packages)
      symlinkSync(built(`node_modules/${name}`), join(application.folder, 'node_modules', name))

    const liveness = new Set<number>()
    const readiness = async (): Promise<number> => {
      liveness.add((await application.get('/livez')).status)
      return (await application.get('/readyz')).status
    }
    const becomes = async (status: number) => await expect.poll(readiness, inTime).toBe(status)

    await stop()
    const child = application.start({
      env: { SERVER_URL: url, UPKEEP_READINESS: component, UPKEEP_TOKEN: 's3cret-token' },
    })
    await applicationPort(child)
    await child.err.line(/health at/)
    await becomes(existsBefore ? 503 : 200)
    await start()
    await becomes(200)
    const health = async () => (await application.get(`/management/health/${component}`, 's3cret-token')).text
    await expect.poll(async () => JSON.parse(await health()).status, inTime).toBe('UP')
    expect(await health()).not.toMatch(/SELECT|guest|root|:\/\//)

    freeze()
    await becomes(503)
    thaw()
    await becomes(200)
    await kill()
    await becomes(503)
    await start()
    await becomes(200)
    expect([...liveness]).toEqual([200])
    // It is not kept alive, nor ended, by what was discovered.
    expect(child.process.exitCode).toBeNull()
  })
}
