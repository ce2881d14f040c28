import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import * as stable from '@opentelemetry/semantic-conventions'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { describe, expect, it } from 'vitest'
import { conventions } from '../../../src/instrumentation/conventions/conventions.ts'
import { conventionRows, drawConventions } from './tables.ts'

const folder = dirname(createRequire(import.meta.url).resolve('@opentelemetry/semantic-conventions'))

function valuesOf(exported: object, prefix: string): ReadonlySet<unknown> {
  return new Set(Object.entries(exported).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : [])))
}

/** The names that the package's types mark as deprecated. */
function deprecated(prefix: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const file of ['experimental_metrics', 'experimental_attributes', 'stable_metrics', 'stable_attributes']) {
    for (const block of readFileSync(join(folder, `${file}.d.mts`), 'utf8').split('/**')) {
      const [, name, value] = /declare const (\w+): "([^"]+)"/.exec(block) ?? []
      if (name?.startsWith(prefix) && value !== undefined && block.includes('@deprecated')) names.add(value)
    }
  }
  return names
}

const metrics = { all: valuesOf(incubating, 'METRIC_'), stable: valuesOf(stable, 'METRIC_') }
const attributes = valuesOf(incubating, 'ATTR_')

describe('every meter of the convention opentelemetry', () => {
  it.each(conventionRows.map((row) => [row.opentelemetry, row] as const))(
    '%s is one of the semantic conventions',
    (name, row) => {
      expect(metrics.all).toContain(name)
      expect(deprecated('METRIC_')).not.toContain(name)
      for (const attribute of row.attributes) {
        expect(attributes).toContain(attribute)
        expect(deprecated('ATTR_')).not.toContain(attribute)
      }
    },
  )

  it('has a name that is compared with a package that knows deprecated ones', () => {
    expect(deprecated('METRIC_')).toContain('db.client.connections.usage')
    expect(deprecated('ATTR_')).toContain('messaging.system')
  })
})

it.each(['http.server.request.duration', 'http.client.request.duration', 'db.client.operation.duration'])(
  '%s is stable',
  (name) => {
    expect(metrics.stable).toContain(name)
    expect(conventionRows.map(({ opentelemetry }) => opentelemetry)).toContain(name)
  },
)

it.each([
  ['v8js.gc.type', 'V8JS_GC_TYPE_VALUE_', ['incremental', 'major', 'minor', 'weakcb']],
  ['nodejs.eventloop.state', 'NODEJS_EVENTLOOP_STATE_VALUE_', ['active', 'idle']],
  ['db.client.connection.state', 'DB_CLIENT_CONNECTION_STATE_VALUE_', ['idle', 'used']],
  ['v8js.resource.type', 'V8JS_RESOURCE_TYPE_VALUE_', ['Immediate', 'TCPServerWrap', 'TCPWrap', 'Timeout', 'TTYWrap']],
])('the values of %s are those of the conventions', (_, prefix, values) => {
  expect([...valuesOf(incubating, prefix)].sort()).toEqual([...values].sort())
})

it('both conventions name the same meters', () => {
  const shape = (value: object): unknown =>
    Object.entries(value).map(([key, child]) => [key, key === 'protocolOf' || 'name' in child ? '' : shape(child)])
  expect(shape(conventions.opentelemetry)).toEqual(shape(conventions.micrometer))
})

it('docs/guides/metrics.md has the table of the code, which "vitest -u" writes', async () => {
  const path = join(import.meta.dirname, '../../../docs/guides/metrics.md')
  const page = readFileSync(path, 'utf8')
  const markers = /(<!-- conventions -->\n)[\s\S]*?(<!-- \/conventions -->)/
  expect(page).toMatch(markers)
  await expect(page.replace(markers, (_, start, end) => `${start}${drawConventions()}\n${end}`)).toMatchFileSnapshot(
    path,
  )
})
