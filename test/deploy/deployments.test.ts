import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import rootPackage from '../../package.json' with { type: 'json' }

const root = resolve(import.meta.dirname, '../..')
const folder = join(root, 'deploy')
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
const seconds = (duration: string) => Number.parseInt(duration, 10)

/** How long a shutdown takes at most: its delay and its requests. */
const shutdownSeconds = (env: Readonly<Record<string, string>>) =>
  seconds(env['UPKEEP_SHUTDOWN_DELAY'] ?? '5s') + seconds(env['UPKEEP_SHUTDOWN_TIMEOUT'] ?? '10s')

/** The variables that docs/reference/command-line.md lists. */
const page = readFileSync(join(root, 'docs/reference/command-line.md'), 'utf8')
const known = [...page.matchAll(/^\| `(UPKEEP_[A-Z_]+)` \|/gm)].map(([, name]) => name)

function expectKnown(env: Readonly<Record<string, unknown>>): void {
  const own = Object.keys(env).filter((name) => name.startsWith('UPKEEP_'))
  expect(own.filter((name) => !known.includes(name))).toEqual([])
  expect(own.length).toBeGreaterThan(1)
}

describe('the Kustomize base', () => {
  const { resources } = parse(read('kubernetes/service/kustomization.yaml'))
  const objects = resources.map((name: string) => parse(read(`kubernetes/service/${name}`)))
  const ofKind = (kind: string) => objects.find((each: { kind: string }) => each.kind === kind).spec
  const pod = ofKind('Deployment').template.spec
  const [container] = pod.containers
  const env = Object.fromEntries(container.env.map(({ name, value }: Record<string, string>) => [name, value ?? '']))

  it('lists each of its files', () => {
    const files = readdirSync(join(folder, 'kubernetes/service')).filter((name) => name !== 'kustomization.yaml')
    expect([...resources].sort()).toEqual(files.sort())
  })

  it('sets variables that exist, and a token from a secret', () => {
    expectKnown(env)
    const token = container.env.find(({ name }: { name: string }) => name === 'UPKEEP_TOKEN')
    expect(token.valueFrom.secretKeyRef).toEqual({ name: 'orders-management', key: 'token' })
    const [endpoint] = ofKind('PodMonitor').podMetricsEndpoints
    expect(endpoint.authorization.credentials).toEqual(token.valueFrom.secretKeyRef)
  })

  it('has a grace period that is longer than the shutdown, and a delay that is longer than two failed probes', () => {
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(shutdownSeconds(env) + 2)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(seconds(env['UPKEEP_SHUTDOWN_DELAY'] ?? '')).toBeGreaterThan(periodSeconds * failureThreshold)
  })

  it('names ports that the container has', () => {
    const ports = container.ports.map(({ name }: { name: string }) => name)
    const probes = [container.startupProbe, container.livenessProbe, container.readinessProbe]
    const policy = ofKind('NetworkPolicy').ingress.flatMap(({ ports: all }: { ports: { port: string }[] }) => all)
    const named = [
      ...probes.map(({ httpGet }) => httpGet.port),
      ...policy.map(({ port }: { port: string }) => port),
      ofKind('Service').ports[0].targetPort,
      ofKind('PodMonitor').podMetricsEndpoints[0].port,
    ]
    expect(named.filter((name) => !ports.includes(name))).toEqual([])
    expect(container.ports).toContainEqual({ name: 'management', containerPort: 8690 })
  })

  it('runs without privileges, on a root file system that cannot be written', () => {
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(container.volumeMounts).toContainEqual({ name: 'tmp', mountPath: '/tmp' })
  })
})

describe('the Helm chart', () => {
  const values = parse(read('helm/upkeep-service/values.yaml'))
  const schema = JSON.parse(read('helm/upkeep-service/values.schema.json'))

  it('has a schema for each value', () => {
    const described = Object.keys(schema.properties).filter((name) => name !== 'global')
    expect(Object.keys(values).sort()).toEqual(described.sort())
  })

  it('uses each value, and no other', () => {
    const templates = readdirSync(join(folder, 'helm/upkeep-service/templates'))
    const text = templates.map((name) => read(`helm/upkeep-service/templates/${name}`)).join('\n')
    const used = new Set([...text.matchAll(/\.Values\.(\w+)/g)].map(([, name]) => name))
    expect([...used].sort()).toEqual(Object.keys(values).sort())
  })

  it('has a grace period that is longer than the shutdown', () => {
    expectKnown(values.env)
    expect(values.terminationGracePeriodSeconds).toBeGreaterThan(shutdownSeconds(values.env) + 2)
  })
})

describe('Docker Compose', () => {
  const compose = parse(read('compose/compose.yaml'))

  it('mounts files that exist, and volumes that it defines', () => {
    for (const service of Object.values<{ volumes?: string[] }>(compose.services)) {
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(folder, 'compose', source)), source).toBe(true)
        else expect(compose.volumes).toHaveProperty(source)
      }
    }
    const { context, dockerfile } = compose.services.orders.build
    expect(existsSync(resolve(folder, 'compose', context, dockerfile))).toBe(true)
  })

  it('requests services that it starts', () => {
    const texts = ['compose.yaml', 'prometheus.yml', 'collector.yaml', 'grafana/datasources.yaml'].map((name) =>
      read(`compose/${name}`),
    )
    const hosts = texts.flatMap((text) =>
      [...text.matchAll(/(?:https?:\/\/|@|targets: \[')(\w+):\d+/g)].map(([, host = '']) => host),
    )
    expect(new Set(hosts)).toEqual(new Set(['collector', 'jaeger', 'orders', 'postgres', 'prometheus']))
    for (const host of hosts) expect(compose.services).toHaveProperty(host)
  })

  it('publishes ports on 127.0.0.1 alone', () => {
    const ports = Object.values<{ ports?: string[] }>(compose.services).flatMap((service) => service.ports ?? [])
    expect(ports.length).toBeGreaterThan(3)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('gives Grafana a source of metrics and one of traces, and the dashboards where it reads them', () => {
    const { datasources } = parse(read('compose/grafana/datasources.yaml'))
    expect(datasources.map(({ type }: { type: string }) => type)).toEqual(['prometheus', 'jaeger'])
    const { path } = parse(read('compose/grafana/dashboards.yaml')).providers[0].options
    expect(compose.services.grafana.volumes.join('\n')).toContain(`:${path}:ro`)
  })

  it('installs the imports of the service in the tested versions', () => {
    const { dependencies } = JSON.parse(read('compose/package.json'))
    const tested: Record<string, string> = rootPackage.devDependencies
    for (const [name, version] of Object.entries(dependencies)) {
      if (name !== 'upkeep') expect([name, version]).toEqual([name, tested[name]])
    }
    const built = readFileSync(join(root, 'build/examples/services/express.js'), 'utf8')
    const imported = [...built.matchAll(/^import .*from ["']([^"'.][^"']*)["']/gm)].map(([, name = '']) => name)
    const packages = imported.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
    expect(packages).toContain('express')
    expect(packages.filter((name) => !name.startsWith('node:') && !(name in dependencies))).toEqual([])
  })

  it('leaves the service as much time as its shutdown takes', () => {
    expect(seconds(compose.services.orders.stop_grace_period)).toBeGreaterThan(5 + 10 + 2)
  })
})

describe('systemd and PM2', () => {
  const unit = read('systemd/orders.service')
  const settings = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  it('the unit sets variables that exist, and waits for readiness', () => {
    const env = Object.fromEntries(
      settings('Environment').flatMap((line) => line.split(' ').map((one) => one.split('='))),
    )
    expectKnown(env)
    expect(seconds(settings('TimeoutStopSec')[0] ?? '')).toBeGreaterThan(shutdownSeconds(env))
    expect(settings('ExecStartPost')[0]).toContain('upkeep probe --wait 60s http://127.0.0.1:8690/readyz')
  })

  it('the configuration of PM2 leaves as much time as the shutdown takes', async () => {
    const path = join(folder, 'pm2/ecosystem.config.cjs')
    const { apps } = (await import(path)).default
    expectKnown(apps[0].env)
    expect(apps[0].kill_timeout).toBeGreaterThan(1_000 * shutdownSeconds(apps[0].env))
  })
})
