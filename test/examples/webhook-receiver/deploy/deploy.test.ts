import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readSettings } from '../../../../examples/webhook-receiver/settings.ts'
import rootPackage from '../../../../package.json' with { type: 'json' }
import { describeProgram } from '../../../support/describe-program.ts'
import { sendRequest } from '../support/http-client.ts'
import { knownVariables } from '../support/known-variables.ts'
import { useApp } from '../support/use-app.ts'

const folder = resolve(import.meta.dirname, '../../../../examples/webhook-receiver/deploy')
const root = resolve(folder, '../../..')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

const dockerfile = read('Dockerfile').replaceAll('\\\n', ' ')
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^\\s*${name} (.*)$`, 'gm'))].map(([, rest = '']) => rest.trim())
const imageEnvironment: Record<string, string> = Object.fromEntries(
  instructions('ENV').flatMap((line) => line.split(' ').map((pair) => pair.replace('$BUILD_ID', 'a').split('='))),
)
const compose = parse(read('compose.yaml'))
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((each) => each.toJS())
const ofKind = (kind: string) => manifests.find((each) => each.kind === kind).spec
const pod = ofKind('Deployment').template.spec
const [container] = pod.containers
const podEnvironment: Record<string, string> = Object.fromEntries(
  container.env.map(({ name, value }: Record<string, string>) => [name, value]),
)
const secrets = { DATABASE_URL: 'postgres://a:b@c/d', MANAGEMENT_TOKEN: 'a-token' }

describe('the deployment', () => {
  it('sets only known variables, to valid values', () => {
    const known = [...knownVariables(), 'NODE_ENV']
    const composed = Object.fromEntries(
      Object.entries<string>(compose.services.receiver.environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{[^}]*\}/g, 'secret'),
      ]),
    )
    for (const environment of [imageEnvironment, composed, podEnvironment]) {
      expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([])
      readSettings({ ...secrets, ...environment })
    }
    expect(read('kubernetes.yaml')).toContain('--from-literal=DATABASE_URL=')
    expect(composed).toHaveProperty('MANAGEMENT_TOKEN')
    expect(composed).toHaveProperty('DATABASE_URL')
  })

  it('uses the same port everywhere', () => {
    const port = Number(imageEnvironment['PORT'])
    expect(instructions('EXPOSE')).toEqual([String(port)])
    expect(compose.services.receiver.ports).toEqual([`127.0.0.1:${port}:${port}`])
    expect(container.ports).toEqual([{ name: 'http', containerPort: port }])
    expect(ofKind('Service').ports[0].targetPort).toBe('http')
    expect(parse(read('prometheus.yml')).scrape_configs[0].static_configs[0].targets).toEqual([`receiver:${port}`])
    expect(ofKind('Deployment').template.metadata.annotations['prometheus.io/port']).toBe(String(port))
    expect(instructions('HEALTHCHECK')[0]).toContain(`http://127.0.0.1:${port}/`)
  })

  it('uses the same receiver of telemetry everywhere', () => {
    const { endpoint } = parse(read('collector.yaml')).receivers.otlp.protocols.http
    const url = new URL(compose.services.receiver.environment.OTEL_EXPORTER_OTLP_ENDPOINT)
    expect([compose.services[url.hostname] !== undefined, url.port]).toEqual([true, endpoint.split(':')[1]])
    expect(podEnvironment['OTEL_EXPORTER_OTLP_ENDPOINT']).toBe(url.href.replace(/\/$/, ''))
  })

  it('refers to existing files only', () => {
    for (const service of Object.values<{ volumes?: string[] }>(compose.services)) {
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':')
        if (source.startsWith('.')) expect(existsSync(join(folder, source)), source).toBe(true)
        else expect(compose.volumes).toHaveProperty(source)
      }
    }
    const { context, dockerfile: path } = compose.services.receiver.build
    expect(resolve(folder, context)).toBe(root)
    expect(resolve(root, path)).toBe(join(folder, 'Dockerfile'))
    for (const [source = ''] of instructions('COPY').map((line) => line.split(' '))) {
      if (!source.startsWith('--') && source !== '.') expect(existsSync(join(root, source)), source).toBe(true)
    }
  })

  it('runs as an unprivileged user, and allows enough time for a shutdown', () => {
    expect(instructions('USER')).toEqual(['node'])
    expect(pod.securityContext.runAsNonRoot).toBe(true)
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(container).not.toHaveProperty('lifecycle')
    const { readinessProbe } = container
    const delay = Number.parseInt(podEnvironment['SHUTDOWN_DELAY'] ?? '', 10)
    expect(delay).toBeGreaterThan(readinessProbe.periodSeconds * readinessProbe.failureThreshold)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(delay + 10 + 5 + 2)
  })

  it('installs the imports of the receiver in the tested versions', () => {
    const { dependencies } = JSON.parse(read('package.json'))
    const tested: Record<string, string> = rootPackage.devDependencies
    for (const [name, version] of Object.entries(dependencies)) {
      if (name !== 'upkeep') expect([name, version]).toEqual([name, tested[name]])
    }
    const built = readFileSync(join(root, 'build/examples/webhook-receiver/main.js'), 'utf8')
    const imported = [...built.matchAll(/^import .*from ["']([^"'.][^"']*)["']/gm)].map(([, name = '']) => name)
    const packages = imported.map((name) => /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '')
    expect(packages).toContain('express')
    expect(packages.filter((name) => !name.startsWith('node:') && !(name in dependencies))).toEqual([])
  })
})

describe('the addresses in the deployment', () => {
  const app = useApp()

  it('of the health check is reported healthy by its command', async () => {
    const url = new URL(/http:[^"]*/.exec(dockerfile)?.[0] ?? '')
    await promisify(execFile)(process.execPath, [
      join(root, rootPackage.bin.upkeep),
      'probe',
      app().origin + url.pathname,
    ])
  })

  it.each<[string, string]>([
    ['the startup probe', container.startupProbe.httpGet.path],
    ['the liveness probe', container.livenessProbe.httpGet.path],
    ['the readiness probe', container.readinessProbe.httpGet.path],
    ['the health check of the image', new URL(/http:[^"]*/.exec(dockerfile)?.[0] ?? '').pathname],
    ['the scrape', parse(read('prometheus.yml')).scrape_configs[0].metrics_path],
    ['the annotated scrape', ofKind('Deployment').template.metadata.annotations['prometheus.io/path']],
  ])('of %s exists: %s', async (_name, path) => {
    expect((await sendRequest(app().origin, { method: 'GET', path })).status).toBe(200)
  })
})

describe('the health check of the image', () => {
  it('uses the command of upkeep', async () => {
    const [, command = ''] = /CMD (\[.*\])/.exec(instructions('HEALTHCHECK')[0] ?? '') ?? []
    const [program, verb, url] = JSON.parse(command)
    expect([program, verb]).toEqual([`node_modules/.bin/${Object.keys(rootPackage.bin)[0]}`, 'probe'])
    const bin = join(root, rootPackage.bin.upkeep)
    const nobodyThere = Object.assign(new URL(url), { port: '1' }).href
    await expect(promisify(execFile)(process.execPath, [bin, verb, nobodyThere])).rejects.toMatchObject({ code: 1 })
  })
})

describeProgram({ program: 'promtool', debian: 'prometheus' }, (promtool) => {
  it('accepts the configuration of the scrape', async () => {
    const { stdout } = await promisify(execFile)(promtool, ['check', 'config', join(folder, 'prometheus.yml')])
    expect(stdout).toContain('SUCCESS')
  })
})
