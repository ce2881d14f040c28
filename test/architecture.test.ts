import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readHouse } from './support/architecture/house.ts'
import { findViolations } from './support/architecture/rules.ts'
import { readSource } from './support/architecture/source.ts'

const house = readHouse(resolve(import.meta.dirname, '..'))
const { plan } = house

/** A small house that keeps every rule; each case below adds to it. */
const sound: Readonly<Record<string, string>> = {
  'src/index.ts': "export { record } from './metrics/record.ts'\nexport type { Route } from './http/route.ts'\n",
  'src/management/create.ts': "import { route } from '../http/route.ts'\nexport const manage = route\n",
  'src/metrics/record.ts': "import { systemClock } from '../clock.ts'\nexport const record = systemClock\n",
  'src/http/route.ts':
    "import negotiator from 'negotiator'\nexport interface Route {}\nexport const route = negotiator\n",
  'src/ids/random.ts': "import { randomBytes } from 'node:crypto'\nexport const random = randomBytes\n",
  'src/runtime/memory.ts': "import { freemem } from 'node:os'\nexport const memory = freemem\n",
  'src/clock.ts': 'export const systemClock = 0\n',
  'adapters/node.ts':
    "import { createServer } from 'node:http'\nimport { record } from '../src/index.ts'\nrecord(createServer)\n",
  'adapters/express.ts':
    "import type { Route } from '../src/index.ts'\nimport { path } from './express/path.ts'\nimport { manage } from './node.ts'\nmanage<Route>(path)\n",
  'adapters/express/path.ts': 'export const path = 0\n',
  'adapters/koa.ts': "import { manage } from './node.ts'\nmanage()\n",
  'adapters/fetch.ts': 'export const toBody = 0\n',
  'adapters/hono.ts': "import { toBody } from './fetch.ts'\nexport const body = toBody\n",
  'examples/node.ts':
    "import { record } from 'upkeep'\nimport express from 'express'\nimport own from '../package.json'\nrecord(express, own)\n",
}

function violationsOf(added: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries({ ...sound, ...added })
  return findViolations({ ...house, sources: files.map(([path, text]) => readSource(path, text)) })
}

describe('the house', () => {
  it('keeps to its plan', () => {
    expect(findViolations(house)).toEqual([])
  })

  it('is read whole', () => {
    const paths = house.sources.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['src/index.ts', 'src/clock.ts', 'src/health/status.ts']))
    expect(house.sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(0)
  })
})

describe('the plan', () => {
  it('puts every room that it describes on a floor', () => {
    expect(plan.described.filter((room) => !plan.floors.has(room.replace(/\.ts$/, '')))).toEqual([])
  })

  it('describes every room that is built', () => {
    const built = house.sources.flatMap(({ path }) => /^src\/([^/]+)/.exec(path)?.[1] ?? [])
    const known = new Set([...plan.described, ...plan.faces])
    expect([...new Set(built)].filter((room) => !known.has(room))).toEqual([])
  })

  it('stands on eight floors, from the grammar of fields to the examples', () => {
    expect(new Set([...plan.floors.values(), ...plan.above.values()])).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7]))
    expect([plan.floors.get('fields'), plan.floors.get('http'), plan.floors.get('management')]).toEqual([0, 2, 4])
    expect(Object.fromEntries(plan.above)).toEqual({ faces: 5, adapters: 6, examples: 7 })
    expect(plan.faces).toContain('index.ts')
  })

  it("lets Node's own modules be named only in rooms that it has", () => {
    expect(plan.nodePlaces.length).toBeGreaterThan(0)
    expect(plan.nodePlaces.filter((place) => !plan.floors.has(place.replace(/\/.*$/, '')))).toEqual([])
  })
})

describe('a violation', () => {
  it('is found in no house that holds', () => {
    expect(violationsOf({})).toEqual([])
  })

  const unknown = 'add the room to the plan in docs/architecture.md'
  const onlyFaces = 'only a public face hands on what it did not make'
  const adapterHas = 'an adapter has what an author elsewhere has: ../src/index.ts, ./node.ts and ./fetch.ts'
  const nowhere = "no place where the plan lets Node's own modules be named"

  it.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'a room that the plan does not know',
      { 'src/widgets/knob.ts': '' },
      [`src/widgets/knob.ts stands in widgets, a room on no floor: ${unknown}`],
    ],
    [
      'a file at the root of src/ that is neither a room nor a public face',
      { 'src/knob.ts': '' },
      [`src/knob.ts stands in knob.ts, a room on no floor: ${unknown}`],
    ],
    [
      'an import from a higher floor',
      { 'src/metrics/render.ts': "import { route } from '../http/route.ts'" },
      ["src/metrics/render.ts:1 imports '../http/route.ts': metrics (floor 1) must not look up to http (floor 2)"],
    ],
    [
      'an import from a higher floor of types alone',
      { 'src/metrics/render.ts': "\nimport type { Route } from '../http/route.ts'" },
      ["src/metrics/render.ts:2 imports '../http/route.ts': metrics (floor 1) must not look up to http (floor 2)"],
    ],
    [
      'an import from a higher floor inside a type',
      { 'src/metrics/render.ts': "export type R = import('../http/route.ts').Route" },
      ["src/metrics/render.ts:1 imports '../http/route.ts': metrics (floor 1) must not look up to http (floor 2)"],
    ],
    [
      'an import from a higher floor at run time',
      { 'src/metrics/render.ts': "export const late = () => import('../http/route.ts')" },
      ["src/metrics/render.ts:1 imports '../http/route.ts': metrics (floor 1) must not look up to http (floor 2)"],
    ],
    [
      'the core importing the public face',
      { 'src/runtime/cpu.ts': "import { record } from '../index.ts'" },
      [
        "src/runtime/cpu.ts:1 imports '../index.ts': runtime (floor 3) must not look up to the public face index.ts (floor 5)",
      ],
    ],
    [
      'the core importing an adapter',
      { 'src/runtime/cpu.ts': "import { manage } from '../../adapters/node.ts'" },
      [
        "src/runtime/cpu.ts:1 imports '../../adapters/node.ts': runtime (floor 3) must not look up to adapters (floor 6)",
      ],
    ],
    [
      'an import from a neighbour on the same floor',
      { 'src/health/count.ts': "import { record } from '../metrics/record.ts'" },
      ["src/health/count.ts:1 imports '../metrics/record.ts': health and metrics are neighbours on floor 1"],
    ],
    [
      'an import that leaves the house',
      { 'src/metrics/version.ts': "import manifest from '../../package.json'" },
      ["src/metrics/version.ts:1 imports '../../package.json': it is no part of the house"],
    ],
    [
      'two rooms in a circle',
      { 'src/clock.ts': "import type { Route } from './http/route.ts'", 'src/http/late.ts': "import '../clock.ts'" },
      [
        "src/clock.ts:1 imports './http/route.ts': clock (floor 0) must not look up to http (floor 2)",
        'src/clock.ts: rooms in a circle: clock → http → clock',
      ],
    ],
    [
      'three files of one room in a circle, by a type at one place',
      {
        'src/http/a.ts': "import { b } from './b.ts'",
        'src/http/b.ts': "import type { C } from './c.ts'",
        'src/http/c.ts': "import { a } from './a.ts'",
      },
      ['src/http/a.ts: files in a circle: src/http/a.ts → src/http/b.ts → src/http/c.ts → src/http/a.ts'],
    ],
    [
      "Node's module in a room that knows no process",
      { 'src/http/file.ts': "import { readFile } from 'node:fs/promises'" },
      [`src/http/file.ts:1 imports 'node:fs/promises': ${nowhere}`],
    ],
    [
      "Node's module loaded late",
      { 'src/http/file.ts': "const os = process.getBuiltinModule('node:os')" },
      [`src/http/file.ts:1 imports 'node:os': ${nowhere}`],
    ],
    [
      "Node's module without its prefix, by type",
      { 'src/metrics/loop.ts': "import type { Histogram } from 'perf_hooks'" },
      [`src/metrics/loop.ts:1 imports 'perf_hooks': ${nowhere}`],
    ],
    [
      "Node's module beside a file that may name it",
      { 'src/fields/list.ts': "import { createHash } from 'node:crypto'" },
      [`src/fields/list.ts:1 imports 'node:crypto': ${nowhere}`],
    ],
    [
      'more than hashing where hashing is let in',
      { 'src/ids/uuid.ts': "import { hostname } from 'node:os'" },
      ["src/ids/uuid.ts:1 imports 'node:os': ids may name node:crypto of Node's own modules and no other"],
    ],
    [
      'a framework in the core, by type',
      { 'src/http/app.ts': "import type { Express } from 'express'" },
      ["src/http/app.ts:1 imports 'express': src/ knows no framework"],
    ],
    [
      'a package that package.json does not declare',
      { 'src/http/app.ts': "import { x } from '@scope/left-pad/x'" },
      [
        "src/http/app.ts:1 imports '@scope/left-pad/x': @scope/left-pad is neither a dependency nor a peer in package.json",
      ],
    ],
    [
      'a package that only the tests have',
      { 'adapters/koa.ts': "import type { Pool } from 'pg'" },
      ["adapters/koa.ts:1 imports 'pg': pg is neither a dependency nor a peer in package.json"],
    ],
    [
      'the full build of zod',
      { 'src/management/create.ts': "import { z } from 'zod'" },
      ["src/management/create.ts:1 imports 'zod': zod is neither a dependency nor a peer in package.json"],
    ],
    [
      'the core importing its own package',
      { 'src/management/create.ts': "import { record } from 'upkeep'" },
      ["src/management/create.ts:1 imports 'upkeep': the house names itself by path"],
    ],
    [
      'an adapter that takes code from its framework',
      { 'adapters/koa.ts': "import compose from 'koa'" },
      ["adapters/koa.ts:1 imports 'koa': an adapter meets its framework by type only: import type"],
    ],
    [
      'an adapter that takes code from another framework',
      { 'adapters/koa.ts': "import { manage } from './express.ts'" },
      [`adapters/koa.ts:1 imports './express.ts': ${adapterHas}`],
    ],
    [
      'an adapter that takes code from the folder of another',
      { 'adapters/koa.ts': "import { route } from './express/route.ts'", 'adapters/express/route.ts': '' },
      [`adapters/koa.ts:1 imports './express/route.ts': ${adapterHas}`],
    ],
    [
      'an adapter that reaches past the public face, by type',
      { 'adapters/node.ts': "import type { Route } from '../src/http/route.ts'" },
      [`adapters/node.ts:1 imports '../src/http/route.ts': ${adapterHas}`],
    ],
    [
      'an adapter other than for node:http that hands on the lifecycle',
      { 'adapters/koa.ts': "export { drain } from '../src/lifecycle/drain.ts'" },
      [`adapters/koa.ts:1 re-exports '../src/lifecycle/drain.ts': ${adapterHas}`],
    ],
    [
      'an example that reaches into the house',
      { 'examples/express.ts': "import { record } from '../src/index.ts'" },
      ["examples/express.ts:1 imports '../src/index.ts': examples name the package, as a user would"],
    ],
    [
      'an example that takes what was built',
      { 'examples/express.ts': "import { record } from '../dist/index.js'" },
      ["examples/express.ts:1 imports '../dist/index.js': it is no part of the house"],
    ],
    [
      'an example that names what the package does not export',
      { 'examples/express.ts': "import { record } from 'upkeep/dist/index.js'" },
      ["examples/express.ts:1 imports 'upkeep/dist/index.js': no entry in the exports of package.json"],
    ],
    [
      'an import that is computed',
      { 'src/http/late.ts': 'export const late = (name: string) => import(name)' },
      ['src/http/late.ts:1 imports what it computes: name the module in a string'],
    ],
    [
      'a require',
      { 'src/http/late.ts': "import tool = require('negotiator')\nexport const one = require('negotiator')" },
      ["src/http/late.ts:1 requires 'negotiator': use import", "src/http/late.ts:2 requires 'negotiator': use import"],
    ],
    [
      'a barrel below the public faces',
      { 'src/http/index.ts': "export { route } from './route.ts'" },
      [`src/http/index.ts:1 re-exports './route.ts': ${onlyFaces}`],
    ],
    [
      'a barrel in two steps',
      { 'src/http/all.ts': "import { route as r } from './route.ts'\nexport { r as route }" },
      [`src/http/all.ts:2 exports what it imported: ${onlyFaces}`],
    ],
    [
      'a star in the public face',
      { 'src/index.ts': "export * from './metrics/record.ts'" },
      ["src/index.ts:1 re-exports './metrics/record.ts' with *: name each"],
    ],
    [
      'a namespace in the public face',
      { 'src/index.ts': "export * as metrics from './metrics/record.ts'" },
      ["src/index.ts:1 re-exports './metrics/record.ts' with *: name each"],
    ],
    [
      'code in the public face',
      { 'src/index.ts': "import { route } from './http/route.ts'\nexport const answer = route" },
      [
        'src/index.ts:2 is no `export { … } from`, and a public face is nothing else',
        'src/index.ts:1 is no `export { … } from`, and a public face is nothing else',
      ],
    ],
    [
      'a file over 200 lines',
      { 'src/http/long.ts': '\n'.repeat(201) },
      ['src/http/long.ts has 201 lines: at 200 look for the second idea'],
    ],
    [
      'a file whose name holds no idea',
      { 'src/http/helpers.ts': '' },
      ['src/http/helpers.ts is named "helpers": name the idea in it'],
    ],
    [
      'a folder whose name holds no idea',
      { 'src/http/utils/trim.ts': '' },
      ['src/http/utils/trim.ts is named "utils": name the idea in it'],
    ],
    [
      'a file that is not in kebab-case',
      { 'src/http/routeTable.ts': '' },
      ['src/http/routeTable.ts is not named in kebab-case and .ts'],
    ],
    [
      'a file that is no TypeScript',
      { 'src/http/route.mjs': '' },
      ['src/http/route.mjs is not named in kebab-case and .ts'],
    ],
  ])('is found: %s', (_, added, messages) => {
    expect(violationsOf(added)).toEqual(messages)
  })
})
