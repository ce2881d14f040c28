import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findInCode } from '../../../src/cli/doctor/upgrade/code-changes.ts'
import { findChanges } from '../../../src/cli/doctor/upgrade/find-changes.ts'
import { findInQueries } from '../../../src/cli/doctor/upgrade/query-changes.ts'
import { built } from '../../support/built.ts'
import { folderWith } from '../../support/folder-with.ts'

const root = join(import.meta.dirname, '../../..')
const examples = join(import.meta.dirname, 'upgrade/examples')

/** The names that an entry point exports, by its report. */
function exportsOf(entry: string): readonly string[] {
  const name = entry === 'upkeep' ? 'index' : entry.slice('upkeep/'.length)
  const report = readFileSync(join(root, `api/${name}.ts`), 'utf8')
  const declared = report.matchAll(
    /^export (?:(?:async )?function|const|class|interface|type) (\w+)|^export \{ \w+ as (\w+) \}/gm,
  )
  return [...declared].map(([, one, other]) => one ?? other ?? '')
}

/** What a program imports of upkeep, as `<entry point> <name>`. */
function importsOf(program: string): readonly string[] {
  return [...program.matchAll(/import (?:type )?\{([^}]*)\} from '(upkeep[^']*)'/g)].flatMap(([, names = '', entry]) =>
    names.split(',').flatMap((each) => {
      const name = each.trim().replace(/^type /, '')
      return name === '' ? [] : [`${entry} ${name}`]
    }),
  )
}

describe('the examples of version 0.1', () => {
  const files = ['first', 'second'].flatMap((edition) =>
    readdirSync(join(examples, edition)).map((name) => [edition, name] as const),
  )

  it.each(files)('(%s %s) have a finding for each import that does not exist, and for no other', (edition, name) => {
    const program = readFileSync(join(examples, edition, name), 'utf8')
    const gone = importsOf(program).filter((each) => {
      const [entry = '', imported = ''] = each.split(' ')
      return !exportsOf(entry).includes(imported)
    })
    const found = findInCode(program)
      .map(({ what }) => /^(\S+) no longer exports (\w+)$/.exec(what))
      .flatMap((match) => (match === null ? [] : [`${match[1]} ${match[2]}`]))
    expect(found.sort()).toEqual([...gone].sort())
  })

  it.each(files)('(%s %s) get imports that exist', (edition, name) => {
    for (const { instead } of findInCode(readFileSync(join(examples, edition, name), 'utf8'))) {
      for (const each of importsOf(instead)) {
        const [entry = '', imported = ''] = each.split(' ')
        expect(exportsOf(entry)).toContain(imported)
      }
    }
  })
})

describe('a change of code', () => {
  it.each([
    [
      "import {\n  createManagement,\n  postgres as db,\n} from 'upkeep'",
      3,
      "import { postgres } from 'upkeep/health'",
    ],
    ["const { uuidV7 } = require('upkeep')", 1, "import { uuidV7 } from 'upkeep/ids'"],
    ["const { redis } = await import('upkeep')", 1, "import { redis } from 'upkeep/health'"],
    ["import type { EndedRequest } from 'upkeep'", 1, "import { EndedRequest } from 'upkeep/instrumentation'"],
    ["import { answerErrors } from 'upkeep/koa'", 1, "import { handleErrors } from 'upkeep/koa'"],
    ["import { noteRoute } from 'upkeep'", 1, "import { setRoute } from 'upkeep/adapter'"],
    ["import { instrument } from 'upkeep/instrument'", 1, "'upkeep/instrumentation'"],
    ["\n\nmanagement.availability.broken('no disk')", 3, 'availability.markBroken'],
    ['createResources({ bodyDepth: 3 })', 1, 'maxBodyDepth'],
  ])('%j is found with its line', (program, line, instead) => {
    expect(findInCode(program)).toEqual([{ line, what: expect.any(String), instead }])
  })

  it.each([
    "import { createManagement } from 'upkeep'",
    "import { postgres } from 'upkeep/health'",
    "import { postgres } from 'pg-promise'",
    'const deepest = Math.max(1, 2)',
  ])('%j is none', (program) => {
    expect(findInCode(program)).toEqual([])
  })
})

describe('a change of queries', () => {
  it.each([
    ['sum(http_server_requests_active)', 'sum(http_server_requests_active_seconds_count)'],
    ['orders_connections_active > 5', 'hikaricp_connections_active{pool="orders"}'],
    ['jobs_seconds_gcount', 'jobs_seconds_count'],
    ['jvm_memory_max_bytes{area="heap",id="heap"}', 'jvm_memory_max_bytes{area="heap",id="old_space"}'],
    ['"expr": "rate(http_server_requests_seconds_count{uri=\\"UNKNOWN\\"}[5m])"', 'uri=~"UNKNOWN|NOT_FOUND|.*/[*][*]"'],
  ])('%j is found', (query, instead) => {
    expect(findInQueries(query)).toEqual([{ line: 1, what: expect.any(String), instead }])
  })

  it.each([
    'sum(http_server_requests_active_seconds_count)',
    'hikaricp_connections_active{pool="orders"}',
    'jdbc_connections_active',
    'jvm_memory_max_bytes{area="heap"}',
    'rate(http_server_requests_seconds_count{uri="/orders"}[5m])',
  ])('%j is none', (query) => {
    expect(findInQueries(query)).toEqual([])
  })
})

function runDoctor(words: readonly string[], { cwd }: { readonly cwd: string }) {
  const command = [built('build/node_modules/upkeep/dist/cli.cjs'), 'doctor', ...words]
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

describe('upkeep doctor --upgrade', () => {
  const files = {
    'package.json': '{ "name": "orders" }',
    'src/app.ts': "import { postgres } from 'upkeep'\n",
    'alerts/rules.yaml': 'expr: http_server_requests_active > 100\n',
    'node_modules/other/index.js': "import { postgres } from 'upkeep'\n",
    'dist/app.js': "import { postgres } from 'upkeep'\n",
    '.cache/app.js': "import { postgres } from 'upkeep'\n",
  }

  it('names each place with the line to write, and exits with 1', async () => {
    const { code, out } = runDoctor(['--upgrade', '0.1'], { cwd: await folderWith(files) })
    expect(out).toBe(
      [
        'alerts/rules.yaml:1: active requests are a long task timer, as in Spring Boot 4',
        '  sum(http_server_requests_active_seconds_count)',
        'src/app.ts:1: upkeep no longer exports postgres',
        "  import { postgres } from 'upkeep/health'",
        '2 places to change since 0.1, in 3 files. The changelog has changes of behaviour, which no file shows.',
        '',
      ].join('\n'),
    )
    expect(code).toBe(1)
  })

  it('prints JSON', async () => {
    const { out } = runDoctor(['--upgrade', '0.1.0', '--json'], { cwd: await folderWith(files) })
    expect(JSON.parse(out)).toMatchObject({ files: 3, skipped: [], changes: [{ line: 1 }, { file: 'src/app.ts' }] })
  })

  it('exits with 0 if there is nothing to change', async () => {
    const cwd = await folderWith({ 'app.ts': "import { createManagement } from 'upkeep'\n" })
    expect(runDoctor(['--upgrade', '0.1'], { cwd }).code).toBe(0)
    expect(runDoctor(['--upgrade', '0.9'], { cwd: await folderWith(files) }).code).toBe(0)
  })

  it.each([
    [['--upgrade', 'yesterday'], '--upgrade: expected a version such as 0.1, received yesterday'],
    [['--upgrade', '0.1', 'app.js'], '--upgrade: expected no URL or file: it reads the folder, received app.js'],
  ])('%j is an error', async (words, message) => {
    const { code, err } = runDoctor(words, { cwd: await folderWith(files) })
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })

  it('says which files it did not read', async () => {
    const folder = await folderWith({})
    mkdirSync(join(folder, 'data'))
    writeFileSync(join(folder, 'data/large.json'), ' '.repeat(1_000_001))
    expect(findChanges(folder, '0.1')).toEqual({
      changes: [],
      files: 0,
      skipped: ['data/large.json: it is larger than 1 MB'],
    })
  })
})
