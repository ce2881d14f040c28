import { createServer, type Server } from 'node:http'
import { createManagement, type Management } from 'upkeep'
import { manage } from 'upkeep/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readDocumented } from '../../support/documented.ts'
import { listenOn } from '../../support/listen.ts'
import { createRawClient } from '../../support/raw-client.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly host?: string; readonly scheme?: string }
  readonly periodSeconds: number
  readonly timeoutSeconds?: number
  readonly failureThreshold: number
}

interface Container extends Readonly<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>> {
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
}

const { kind, apiVersion, spec } = parse(readDocumented('guides/probes.md', 'deployment.yaml'))
const { terminationGracePeriodSeconds, containers } = spec.template.spec
const container: Container = containers[0]
const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'] as const

describe('the deployment for Kubernetes', () => {
  it('is a Deployment whose selector matches its pods, and whose probes name an existing port', () => {
    expect([apiVersion, kind]).toEqual(['apps/v1', 'Deployment'])
    expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels)
    const names = container.ports.map(({ name }) => name)
    for (const probe of probes) expect(names).toContain(container[probe].httpGet.port)
  })

  it('allows enough time for a default shutdown with two hooks and a flush', () => {
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 10 + 2 * 5 + 2)
  })

  it('has a readiness timeout longer than that of an indicator', () => {
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(5)
  })
})

describe('the probes of Kubernetes', () => {
  let management: Management
  let server: Server
  let port: number

  beforeEach(async () => {
    management = createManagement({ health: { indicators: { db: () => 'DOWN' } } })
    server = createServer(manage(management))
    port = await listenOn(server)
  })
  afterEach(() => void server.close())

  /**
   * As kubelet sends it: to the pod's address, accepting anything, over a connection of its own; 200 to 399 is success.
   */
  async function probe(name: (typeof probes)[number]): Promise<boolean> {
    const { path } = container[name].httpGet
    const headers = { Host: `10.1.2.3:${port}`, 'User-Agent': 'kube-probe/1.32', Accept: '*/*', Connection: 'close' }
    const { status } = await createRawClient(port)({ method: 'GET', target: path, headers })
    return status >= 200 && status < 400
  }
  const all = async () => Object.fromEntries(await Promise.all(probes.map(async (name) => [name, await probe(name)])))

  it.each<readonly [string, (management: Management) => void, readonly [boolean, boolean, boolean]]>([
    ['runs, with another system away', () => undefined, [true, true, true]],
    [
      'waits for start-up tasks',
      ({ availability }) => availability.addStartupTask(new Promise(() => undefined), 'x'),
      [true, true, false],
    ],
    ['refuses traffic', ({ availability }) => availability.refuseTraffic(), [true, true, false]],
    ['shuts down', ({ availability }) => availability.beginShutdown(), [true, true, false]],
    ['is broken', ({ availability }) => availability.markBroken(), [false, false, true]],
  ])('say of an instance that %s', async (_name, bring, [startupProbe, livenessProbe, readinessProbe]) => {
    bring(management)
    expect(await all()).toEqual({ startupProbe, livenessProbe, readinessProbe })
  })
})
