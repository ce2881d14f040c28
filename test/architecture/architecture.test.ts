import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCodebase } from './codebase.ts'
import { drawPlan, layers } from './plan.ts'
import { findViolations } from './rules.ts'
import { readSource } from './source.ts'

const root = resolve(import.meta.dirname, '../..')
const codebase = readCodebase(root)

/** A small code base without violations; each case below adds to it. */
const valid: Readonly<Record<string, string>> = {
  'src/entries/index.ts':
    "export { record } from '../metrics/record.ts'\nexport type { Route } from '../http/route.ts'\n",
  'src/management/create.ts': "import { route } from '../http/route.ts'\nexport const manage = route\n",
  'src/metrics/record.ts': "import { systemClock } from '../base/clock.ts'\nexport const record = systemClock\n",
  'src/http/route.ts':
    "import negotiator from 'negotiator'\nexport interface Route {}\nexport const route = negotiator\n",
  'src/ids/random.ts': "import { randomBytes } from 'node:crypto'\nexport const random = randomBytes\n",
  'src/runtime/memory.ts': "import { freemem } from 'node:os'\nexport const memory = freemem\n",
  'src/base/clock.ts': 'export const systemClock = 0\n',
  'adapters/node.ts':
    "import { Server } from 'node:http'\nimport { record } from '../src/entries/index.ts'\nrecord(Server)\n",
  'adapters/express.ts': [
    "import type { Route } from '../src/entries/rest.ts'",
    "import { path } from './express/path.ts'",
    "import { manage } from './node.ts'",
    'manage<Route>(path)\n',
  ].join('\n'),
  'adapters/express/path.ts': 'export const path = 0\n',
  'adapters/koa.ts': "import { manage } from './node.ts'\nmanage()\n",
  'adapters/fetch.ts': 'export const toBody = 0\n',
  'adapters/hono.ts': "import { toBody } from './fetch.ts'\nexport const body = toBody\n",
  'examples/node.ts':
    "import { record } from 'upkeep'\nimport app from 'express'\nimport own from '../package.json'\nrecord(app, own)\n",
}

function violationsOf(added: Readonly<Record<string, string>>): readonly string[] {
  const files = Object.entries({ ...valid, ...added })
  return findViolations({ ...codebase, sources: files.map(([path, text]) => readSource(path, text)) })
}

describe('the code base', () => {
  it('follows the plan', () => {
    expect(findViolations(codebase)).toEqual([])
  })

  it('is read completely', () => {
    const paths = codebase.sources.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['src/entries/index.ts', 'src/base/clock.ts', 'src/health/status.ts']))
    expect(codebase.sources.flatMap(({ imports }) => imports).length).toBeGreaterThan(0)
  })
})

describe('the plan', () => {
  it('lists each module once, and no module that does not exist', () => {
    const listed = layers.flat().map(({ name }) => name)
    const existing = codebase.sources.map(({ path }) => /^(?:src\/)?([^/]+)\//.exec(path)?.[1] ?? path)
    expect([...listed].sort()).toEqual([...new Set(existing)].sort())
  })

  it('is drawn in docs/concepts/architecture.md', () => {
    const page = readFileSync(resolve(root, 'docs/concepts/architecture.md'), 'utf8')
    const [, drawn] = /<!-- plan -->\n([\s\S]*?)\n<!-- \/plan -->/.exec(page) ?? []
    expect(drawn, 'Run: node scripts/draw-plan.mjs').toBe(drawPlan())
  })
})

describe('a violation', () => {
  it('is not found in a valid code base', () => {
    expect(violationsOf({})).toEqual([])
  })

  const onlyEntryPoints = 'only entry points re-export'
  const adapterImports =
    'an adapter imports ../src/entries/{adapter,ids,index,otlp,rest}.ts, ' +
    './node.ts, ./fetch.ts, or files of its own folder'
  const pageImports = 'the page imports preact, uplot, files of src/console/ui/, and types of src/console/documents.ts'
  const noNodeModule = "the plan allows no module of Node's here"
  const upwards = 'metrics (layer 1) must not import http (layer 3)'

  it.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
    [
      'a module that the plan does not list',
      { 'src/widgets/knob.ts': '' },
      ['src/widgets/knob.ts: module widgets is not listed in test/architecture/plan.ts'],
    ],
    [
      'a file at the root of src/',
      { 'src/knob.ts': '' },
      ['src/knob.ts: module knob.ts is not listed in test/architecture/plan.ts'],
    ],
    [
      'an import from a higher layer',
      { 'src/metrics/render.ts': "import { route } from '../http/route.ts'" },
      [`src/metrics/render.ts:1 imports '../http/route.ts': ${upwards}`],
    ],
    [
      'a type import from a higher layer',
      { 'src/metrics/render.ts': "\nimport type { Route } from '../http/route.ts'" },
      [`src/metrics/render.ts:2 imports '../http/route.ts': ${upwards}`],
    ],
    [
      'an import type from a higher layer',
      { 'src/metrics/render.ts': "export type R = import('../http/route.ts').Route" },
      [`src/metrics/render.ts:1 imports '../http/route.ts': ${upwards}`],
    ],
    [
      'a dynamic import from a higher layer',
      { 'src/metrics/render.ts': "export const late = () => import('../http/route.ts')" },
      [`src/metrics/render.ts:1 imports '../http/route.ts': ${upwards}`],
    ],
    [
      'the core importing an entry point',
      { 'src/runtime/cpu.ts': "import { record } from '../entries/index.ts'" },
      ["src/runtime/cpu.ts:1 imports '../entries/index.ts': runtime (layer 2) must not import entries (layer 8)"],
    ],
    [
      'the core importing an adapter',
      { 'src/runtime/cpu.ts': "import { manage } from '../../adapters/node.ts'" },
      ["src/runtime/cpu.ts:1 imports '../../adapters/node.ts': runtime (layer 2) must not import adapters (layer 9)"],
    ],
    [
      'an import from another module of the same layer',
      { 'src/health/count.ts': "import { random } from '../ids/random.ts'" },
      ["src/health/count.ts:1 imports '../ids/random.ts': health and ids are on the same layer (2)"],
    ],
    [
      'an import from outside of the modules',
      { 'src/metrics/version.ts': "import manifest from '../../package.json'" },
      ["src/metrics/version.ts:1 imports '../../package.json': the file is outside of src/, adapters/ and examples/"],
    ],
    [
      'two modules in a cycle',
      {
        'src/base/late.ts': "import type { Route } from '../http/route.ts'",
        'src/http/late.ts': "import '../base/late.ts'",
      },
      [
        "src/base/late.ts:1 imports '../http/route.ts': base (layer 0) must not import http (layer 3)",
        'src/base/late.ts: import cycle of modules: base → http → base',
      ],
    ],
    [
      'three files of one module in a cycle, one import of which is a type',
      {
        'src/http/a.ts': "import { b } from './b.ts'",
        'src/http/b.ts': "import type { C } from './c.ts'",
        'src/http/c.ts': "import { a } from './a.ts'",
      },
      ['src/http/a.ts: import cycle of files: src/http/a.ts → src/http/b.ts → src/http/c.ts → src/http/a.ts'],
    ],
    [
      "one of Node's modules where none is allowed",
      { 'src/http/file.ts': "import { readFile } from 'node:fs/promises'" },
      [`src/http/file.ts:1 imports 'node:fs/promises': ${noNodeModule}`],
    ],
    [
      "one of Node's modules loaded later",
      { 'src/http/file.ts': "const os = process.getBuiltinModule('node:os')" },
      [`src/http/file.ts:1 imports 'node:os': ${noNodeModule}`],
    ],
    [
      "a type of one of Node's modules, without its prefix",
      { 'src/metrics/loop.ts': "import type { Histogram } from 'perf_hooks'" },
      [`src/metrics/loop.ts:1 imports 'perf_hooks': ${noNodeModule}`],
    ],
    [
      "one of Node's modules beside a file that may import it",
      { 'src/http/fields/list.ts': "import { createHash } from 'node:crypto'" },
      [`src/http/fields/list.ts:1 imports 'node:crypto': ${noNodeModule}`],
    ],
    [
      "another of Node's modules than the plan allows",
      { 'src/ids/random.ts': "import { hostname } from 'node:os'" },
      ["src/ids/random.ts:1 imports 'node:os': the plan allows node:crypto only"],
    ],
    [
      'a type of a framework in the core',
      { 'src/http/app.ts': "import type { Express } from 'express'" },
      ["src/http/app.ts:1 imports 'express': src/ must not depend on a framework"],
    ],
    [
      'a package that package.json does not declare',
      { 'src/http/app.ts': "import { x } from '@scope/pad/x'" },
      ["src/http/app.ts:1 imports '@scope/pad/x': @scope/pad is neither a dependency nor a peer in package.json"],
    ],
    [
      'the page of the console importing code of the server, or another package',
      {
        'src/console/documents.ts': 'export const names = 0',
        'src/console/ui/app.tsx':
          "import { names } from '../documents.ts'\nimport 'react'\nexport const a = <p>{names}</p>",
      },
      [
        `src/console/ui/app.tsx:1 imports '../documents.ts': ${pageImports}`,
        `src/console/ui/app.tsx:2 imports 'react': ${pageImports}`,
      ],
    ],
    [
      'a development dependency',
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
      ["src/management/create.ts:1 imports 'upkeep': import the file, not the package itself"],
    ],
    [
      'an adapter importing code from its framework',
      { 'adapters/koa.ts': "import compose from 'koa'" },
      ["adapters/koa.ts:1 imports 'koa': an adapter imports types only from its framework: use import type"],
    ],
    [
      'an adapter importing the adapter of another framework',
      { 'adapters/koa.ts': "import { manage } from './express.ts'" },
      [`adapters/koa.ts:1 imports './express.ts': ${adapterImports}`],
    ],
    [
      'an adapter importing from the folder of another',
      { 'adapters/koa.ts': "import { route } from './express/route.ts'", 'adapters/express/route.ts': '' },
      [`adapters/koa.ts:1 imports './express/route.ts': ${adapterImports}`],
    ],
    [
      'an adapter importing a type that no entry point exports',
      { 'adapters/node.ts': "import type { Route } from '../src/http/route.ts'" },
      [`adapters/node.ts:1 imports '../src/http/route.ts': ${adapterImports}`],
    ],
    [
      'an adapter other than node that exports the lifecycle',
      { 'adapters/koa.ts': "export { drain } from '../src/lifecycle/drain.ts'" },
      [`adapters/koa.ts:1 re-exports '../src/lifecycle/drain.ts': ${adapterImports}`],
    ],
    [
      'an example importing a source file',
      { 'examples/express.ts': "import { record } from '../src/entries/index.ts'" },
      ["examples/express.ts:1 imports '../src/entries/index.ts': examples import the package, as a user would"],
    ],
    [
      'an example importing the build',
      { 'examples/express.ts': "import { record } from '../dist/index.js'" },
      ["examples/express.ts:1 imports '../dist/index.js': the file is outside of src/, adapters/ and examples/"],
    ],
    [
      'an example importing a path that the package does not export',
      { 'examples/express.ts': "import { record } from 'upkeep/dist/index.js'" },
      ["examples/express.ts:1 imports 'upkeep/dist/index.js': not an entry point in the exports of package.json"],
    ],
    [
      'a computed import',
      { 'src/http/late.ts': 'export const late = (name: string) => import(name)' },
      ['src/http/late.ts:1 imports a computed name: name the module in a string'],
    ],
    [
      'a require',
      { 'src/http/late.ts': "import tool = require('negotiator')\nexport const one = require('negotiator')" },
      ["src/http/late.ts:1 requires 'negotiator': use import", "src/http/late.ts:2 requires 'negotiator': use import"],
    ],
    [
      'a barrel below the entry points',
      { 'src/http/index.ts': "export { route } from './route.ts'" },
      [`src/http/index.ts:1 re-exports './route.ts': ${onlyEntryPoints}`],
    ],
    [
      'a barrel in two steps',
      { 'src/http/all.ts': "import { route as r } from './route.ts'\nexport { r as route }" },
      [`src/http/all.ts:2 exports what it imported: ${onlyEntryPoints}`],
    ],
    [
      'a star in an entry point',
      { 'src/entries/index.ts': "export * from '../metrics/record.ts'" },
      ["src/entries/index.ts:1 re-exports '../metrics/record.ts' with *: list each name"],
    ],
    [
      'a namespace in an entry point',
      { 'src/entries/index.ts': "export * as metrics from '../metrics/record.ts'" },
      ["src/entries/index.ts:1 re-exports '../metrics/record.ts' with *: list each name"],
    ],
    [
      'code in an entry point',
      { 'src/entries/index.ts': "import { route } from '../http/route.ts'\nexport const answer = route" },
      [
        'src/entries/index.ts:2: an entry point contains `export { … } from` only',
        'src/entries/index.ts:1: an entry point contains `export { … } from` only',
      ],
    ],
    [
      'a file of more than 250 lines',
      { 'src/http/long.ts': '\n'.repeat(251) },
      ['src/http/long.ts has 251 lines; the limit is 250'],
    ],
    [
      'a file with a meaningless name',
      { 'src/http/helpers.ts': '' },
      ['src/http/helpers.ts: "helpers" does not say what is in it'],
    ],
    [
      'a folder with a meaningless name',
      { 'src/http/utils/trim.ts': '' },
      ['src/http/utils/trim.ts: "utils" does not say what is in it'],
    ],
    [
      'a file name that is not in kebab-case',
      { 'src/http/routeTable.ts': '' },
      ['src/http/routeTable.ts: expected a name in kebab-case that ends in .ts'],
    ],
    [
      'a file that is not TypeScript',
      { 'src/http/route.mjs': '' },
      ['src/http/route.mjs: expected a name in kebab-case that ends in .ts'],
    ],
  ])('is found: %s', (_, added, messages) => {
    expect(violationsOf(added)).toEqual(messages)
  })
})
