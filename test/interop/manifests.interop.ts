import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { builtProgram } from './programs.ts'

const deploy = resolve(import.meta.dirname, '../../deploy')
const base = join(deploy, 'kubernetes/service')
const chart = join(deploy, 'helm/upkeep-service')
const composeFile = join(deploy, 'compose/compose.yaml')
const secrets = { MANAGEMENT_TOKEN: 'a', POSTGRES_PASSWORD: 'b', GRAFANA_PASSWORD: 'c' }

interface Manifest {
  readonly kind: string
  // biome-ignore lint/suspicious/noExplicitAny: the program has checked it against the type of its kind.
  readonly spec: any
}

const program = builtProgram('UPKEEP_MANIFESTS')
const env = { PATH: process.env['PATH'] }

function read(...args: string[]): Map<string, Manifest['spec']> {
  const text = execFileSync(program, args, { env, encoding: 'utf8' })
  const objects = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
  return new Map(objects.map(({ kind, spec }) => [kind, spec]))
}

/** Returns what the program says of a copy of a folder, one file of which is changed. */
function refusal(command: string, folder: string, file: string, [text, other]: [string, string]): string {
  const copy = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(copy, { recursive: true }))
  cpSync(folder, copy, { recursive: true })
  const path = join(copy, file)
  const before = readFileSync(path, 'utf8')
  expect(before).toContain(text)
  writeFileSync(path, before.replace(text, other))
  const { status, stderr } = spawnSync(program, [command, copy], { env, encoding: 'utf8' })
  expect(status).toBe(1)
  return stderr
}

const kinds = ['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget', 'PodMonitor', 'Service']

describe('the Kustomize base', () => {
  it('is built, and each object is of its kind', () => {
    expect([...read('kustomize', base).keys()].sort()).toEqual(kinds)
  })

  it.each([
    ['an unknown field', 'deployment.yaml', ['readinessProbe:', 'readyProbe:'], /unknown field .*readyProbe/],
    ['a file that does not exist', 'kustomization.yaml', ['service.yaml', 'services.yaml'], /services\.yaml/],
  ] as const)('is refused with %s', (_name, file, [text, other], message) => {
    expect(refusal('kustomize', base, file, [text, other])).toMatch(message)
  })
})

describe('the Helm chart', () => {
  it('is linted and rendered, and each object is of its kind', () => {
    expect([...read('helm', chart).keys()].sort()).toEqual(kinds)
  })

  it('deploys the webhook receiver, which has an address for its senders', () => {
    const objects = read('helm', chart, join(chart, 'values-webhook-receiver.yaml'))
    expect(objects.has('Ingress')).toBe(true)
    const { image } = objects.get('Deployment').template.spec.containers[0]
    expect(image).toContain('webhook-receiver')
  })

  it('deploys a service with the probes, the privileges and the grace period of the Kustomize base', () => {
    const [fromChart, fromBase] = [read('helm', chart), read('kustomize', base)].map(
      (objects) => objects.get('Deployment').template.spec,
    )
    for (const key of ['securityContext', 'terminationGracePeriodSeconds', 'automountServiceAccountToken'])
      expect(fromChart[key], key).toEqual(fromBase[key])
    for (const key of ['startupProbe', 'livenessProbe', 'readinessProbe', 'securityContext'])
      expect(fromChart.containers[0][key], key).toEqual(fromBase.containers[0][key])
  })

  it.each([
    ['an unknown field', 'templates/service.yaml', ['targetPort', 'targetPorts'], /unknown field .*targetPorts/],
    ['a value that its schema does not permit', 'values.yaml', ['replicas:', 'replica:'], /replica/],
  ] as const)('is refused with %s', (_name, file, [text, other], message) => {
    expect(refusal('helm', chart, file, [text, other])).toMatch(message)
  })
})

describe('Docker Compose', () => {
  it('starts the service with what it needs and what reads it', () => {
    const text = execFileSync(program, ['compose', composeFile], { env: { ...env, ...secrets }, encoding: 'utf8' })
    const services = ['collector', 'grafana', 'jaeger', 'orders', 'postgres', 'prometheus']
    expect(Object.keys(parse(text).services).sort()).toEqual(services)
  })

  it.each(Object.keys(secrets))('is refused without %s', (name) => {
    const { status, stderr } = spawnSync(program, ['compose', composeFile], {
      env: { ...env, ...secrets, [name]: '' },
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(stderr).toContain(`required variable ${name} is missing a value`)
  })
})
