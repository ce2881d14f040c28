import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importsOf, isEntryPoint, reachedFrom, valuesImportedBy } from './imports.ts'
import { findLanes } from './lanes.ts'

/** Tests of internal modules that go through entry points only to set them up. */
const onSources = new Map([
  ['test/adapters/tracing.test.ts', 'compares the two makers of spans, chosen inside'],
  ['test/auto/application/observe-servers.test.ts', 'observes servers without the entry point, which sleeps in tests'],
  ['test/cli/contract-command.test.ts', 'calls the command in this process; as a process it is tested elsewhere'],
  ['test/cli/preflight.test.ts', 'calls the command in this process; as a process it is tested elsewhere'],
  ['test/cluster/cluster-meters.test.ts', 'binds the meters to a view of its own'],
  ['test/fuzz/fuzz.test.ts', 'runs internal parsers beside those of entry points'],
  ['test/instrumentation/http-server/server-requests.test.ts', 'counts the readings of an injected clock'],
  ['test/instrumentation/database/observed-postgres.test.ts', 'patches a client of its own, as upkeep/auto does'],
  ['test/http/exchange-changes.test.ts', 'runs the exchange on resources of its own'],
  ['test/http/exchange-conditions.test.ts', 'runs the exchange on resources of its own'],
  ['test/http/exchange-negotiation.test.ts', 'runs the exchange on resources of its own'],
  ['test/http/exchange.test.ts', 'runs the exchange on resources of its own'],
  ['test/http/ranged-content.test.ts', 'runs the exchange on resources of its own'],
  ['test/instrumentation/http-server/handle-fetch.test.ts', 'observes one response of its own'],
  ['test/instrumentation/observation.test.ts', 'observes messages that it makes itself'],
  ['test/runtime/runtime-meters.test.ts', 'reads the meters of an injected process'],
  ['test/tracing/traced.test.ts', 'sets up the tracing of the process itself'],
  ['test/tracing/unsampled-exemplars.test.ts', 'sets up the tracing of the process itself'],
  ['test/watch/diagnostics.test.ts', 'runs operations of the thread without an endpoint'],
])

const repository = resolve(import.meta.dirname, '../..')
const lanes = findLanes(repository)
const withPackages = findLanes(repository, 'test/with')

describe('test files', () => {
  it('that use several entry points run on the packed package', () => {
    const several = lanes.sources.filter((file) => {
      const reached = reachedFrom(file, repository)
      const isInternal = reached.some((path) => /^(src|adapters)\//.test(path))
      return isInternal && reached.filter(isEntryPoint).length > 1
    })
    expect(several).toEqual([...onSources.keys()].sort())
  })

  it('run on the package in more than a hundred cases, and cover each entry point', () => {
    expect(lanes.package.length).toBeGreaterThan(100)
    const { exports } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
    const entries = Object.keys(exports).filter((path) => !path.endsWith('.json'))
    const files = [...lanes.package, ...withPackages.package]
    const imported = new Set(files.flatMap((file) => reachedFrom(file, repository)))
    expect(entries.map((path) => path.replace('.', 'upkeep')).filter((entry) => !imported.has(entry))).toEqual([])
  })
})

describe('test files in test/with/', () => {
  it('are in no lane of the repository', () => {
    expect(withPackages.sources.length + withPackages.package.length).toBeGreaterThan(15)
    const others = [...lanes.sources, ...lanes.package, ...lanes.machine.sources, ...lanes.machine.package]
    expect(others.filter((file) => file.startsWith('test/with/'))).toEqual([])
  })
})

describe('importsOf', () => {
  it.each([
    ["import { a } from 'x'", ['x']],
    ["import type { A } from 'x'", []],
    ["import { type A } from 'x'", []],
    ["import { type A, b } from 'x'", ['x']],
    ["import 'x'", ['x']],
    ["export * from 'x'", ['x']],
    ["export type { A } from 'x'", []],
    ["const x = await import('x')", ['x']],
    ["const text = `import 'x'`", []],
  ])('of %j returns %j', (code, names) => {
    expect(importsOf(code)).toEqual(names)
  })
})

describe('valuesImportedBy', () => {
  it.each([
    ["import { a } from 'x'", ['x a']],
    ["import { a as b } from 'x'", ['x a']],
    ["import { type A, b } from 'x'", ['x b']],
    ["import type { A } from 'x'", []],
    ["import x from 'x'", []],
    ["import * as x from 'x'; x.a(); y.b()", ['x a']],
  ])('of %j returns %j', (code, values) => {
    expect(valuesImportedBy(code)).toEqual(values)
  })
})
