import { createManagement } from 'upkeep'
import type { Management } from 'upkeep/adapter'
import { type ClientDiscovery, discoverClients, type FoundTarget } from 'upkeep/health'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../support/server-process.ts'

interface ConnectedClient {
  readonly client: object
  readonly end: () => unknown
}

interface Subject {
  /** The client, such as `a Pool of pg`. */
  readonly client: string
  readonly component: FoundTarget['component']
  /** Creates the client, and uses it as an application does at its start. */
  readonly connect: (url: string) => Promise<ConnectedClient>
  readonly details: Readonly<Record<string, unknown>>
  /** Whether the client connects again by itself. @default true */
  readonly comesBack?: boolean
  /** Whether the client exists before its server does. @default true */
  readonly startsBefore?: boolean
}

const inTime = { timeout: 180_000, interval: 50 }

/** What holds for an application that starts before its server, loses it, and gets it back, without an indicator. */
export function testDiscoveredStates(server: () => TestServer, subject: Subject): void {
  const { client: name, component, connect, details, comesBack = true, startsBefore = true } = subject

  describe(`a service with ${name}`, () => {
    let discovery: ClientDiscovery
    let management: Management
    let connected: ConnectedClient
    const readiness = async () => (await management.health.check('readiness'))?.status
    const found = () => management.health.check(component)

    beforeAll(async () => {
      discovery = discoverClients({ kinds: [component] })
      management = createManagement({
        report: () => {},
        health: { discover: discovery, groups: { readiness: { include: ['readinessState', component] } } },
      })
      expect(await found()).toBeUndefined()
      if (startsBefore) await server().stop()
      connected = await connect(server().url)
      discovery.close()
    })
    afterAll(async () => {
      await connected?.end()
      management.close()
    })

    if (startsBefore) {
      it('is not ready before the server has started', async () => {
        await expect.poll(readiness, inTime).toBe('DOWN')
        await server().start()
      })
    }

    it('is ready once the server responds, with details and without a secret', async () => {
      await expect.poll(readiness, inTime).toBe('UP')
      const health = await found()
      expect(health).toMatchObject({
        status: 'UP',
        details: { host: expect.any(String), port: server().port, ...details },
      })
      expect(JSON.stringify(health)).not.toMatch(/SELECT|s3cret|guest|app_user/)
    })

    it('is not ready while the server hangs', async () => {
      server().freeze()
      await expect.poll(readiness, inTime).toBe('DOWN')
      expect(await found()).toMatchObject({ details: { error: expect.stringMatching(/2000 ms|lost|ended|closed/i) } })
      server().thaw()
      if (comesBack) await expect.poll(readiness, inTime).toBe('UP')
    })

    it('is not ready after the server was killed', async () => {
      await server().kill()
      await expect.poll(readiness, inTime).toBe('DOWN')
      expect(JSON.stringify(await found())).not.toMatch(/SELECT|s3cret|guest|app_user/)
      await server().start()
    })

    it(comesBack ? 'is ready when it is back' : 'is ready with another client', async () => {
      if (!comesBack) {
        connected = await connect(server().url)
        // It is no longer watched what the application creates.
        discovery.add(connected.client)
      }
      await expect.poll(readiness, inTime).toBe('UP')
      expect((await management.health.check('liveness'))?.status).toBe('UP')
    })

    it('has no such component once the application has ended the client', async () => {
      await connected.end()
      await expect.poll(found, inTime).toBeUndefined()
      expect(await readiness()).toBe('UP')
    })
  })
}
