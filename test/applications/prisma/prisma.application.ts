import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { usePostgresDatabase } from '../../support/use-database.ts'

const root = resolve(import.meta.dirname, '../../..')
const project = resolve(import.meta.dirname, 'project')
const tables = `
  CREATE TABLE orders (id serial PRIMARY KEY, email text UNIQUE NOT NULL);
  CREATE TABLE items (id serial PRIMARY KEY, name text NOT NULL, "orderId" int NOT NULL REFERENCES orders (id))`

interface Operation {
  /** The spans below a span of the application: the name of each, `!` if it failed, and those below it. */
  readonly tree: unknown
  readonly spans: readonly {
    readonly name: string
    readonly attributes: Readonly<Record<string, unknown>>
    readonly events: readonly { readonly attributes: Readonly<Record<string, string>> }[]
  }[]
  readonly outcome: unknown
}

/** What main.ts prints. */
interface Printed {
  readonly up: unknown
  readonly down: unknown
  readonly operations: Readonly<Record<string, Operation>>
  readonly series: readonly Readonly<Record<string, unknown>>[]
  readonly pool: unknown
}

let printed: Printed
const operation = (name: string): Operation => {
  const found = printed.operations[name]
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

await describeRunningServers([running.postgres], () => {
  const { host, user, database } = usePostgresDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'prisma-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  beforeAll(async () => {
    // generate only reads the schema; Prisma's engine for migrations would be downloaded.
    const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', CHECKPOINT_DISABLE: '1' }
    const run = async (command: string, ...args: string[]) =>
      await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 2 ** 24 })
    cpSync(project, folder, { recursive: true })
    await run('npm', 'ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    const tarball = join(root, `build/upkeep-${version}.tgz`)
    await run('npm', 'install', '--no-save', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', tarball)
    await run('npm', 'run', 'generate')
    // Type-checks the recipe with Prisma's own types.
    await run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--project', '.')
    const client = new pg.Client({ host, user, database })
    await client.connect()
    await client.query(tables).finally(() => client.end())
    Object.assign(env, { DATABASE_URL: `postgres://${user}@${host}/${database}` })
    printed = JSON.parse((await run(process.execPath, 'dist/main.js')).stdout) as Printed
  })

  it('Prisma 7 is UP while its database responds, and DOWN when that is gone', () => {
    const latency = expect.stringMatching(/ms$/)
    expect(printed.up).toEqual({ status: 'UP', details: { database: 'PostgreSQL', latency } })
    expect(printed.down).toEqual({
      status: 'DOWN',
      details: { database: 'PostgreSQL', error: expect.stringContaining('PrismaClientKnownRequestError') },
    })
    expect(printed.pool).toEqual([{ pool: 'orders', count: expect.any(Number) }])
  })

  it('an operation is a span of the model, with the statements of the traced pool below it', () => {
    expect(operation('create').tree).toEqual([
      [
        'create Order',
        ['BEGIN'],
        ['INSERT "public"."orders"'],
        ['INSERT "public"."items"'],
        ['SELECT "public"."orders"'],
        ['COMMIT'],
      ],
    ])
    const [create] = operation('create').spans.filter(({ name }) => name === 'create Order')
    expect(create?.attributes).toEqual({
      'db.system.name': 'postgresql',
      'db.operation.name': 'create',
      'db.collection.name': 'Order',
    })
    expect(operation('raw').tree).toEqual([['$queryRaw', ['SELECT']]])
  })

  it('a transaction is a span around its operations', () => {
    const counts = (name: string) => [
      [`count ${name}`, [expect.stringContaining(`SELECT "public"."${name.toLowerCase()}s"`)]],
    ]
    expect(operation('transaction').tree).toEqual([
      ['$transaction', ['BEGIN'], ...counts('Order'), ...counts('Item'), ['COMMIT']],
    ])
    expect(JSON.stringify(operation('batch').tree)).toMatch(/\$transaction.*count Order.*count Item/)
    expect(operation('rolledBack')).toMatchObject({
      tree: [['$transaction !', ['BEGIN'], ['create Order', ['INSERT "public"."orders"']], ['ROLLBACK']]],
      outcome: 'RangeError',
    })
    expect(operation('emails').outcome).toEqual([{ email: 'bob@secret.example' }])
    expect(JSON.stringify(operation('extended').tree)).toMatch(/^\[\["\$transaction",.*count Order/)
  })

  it.each([
    ['duplicate', 'create Order', { 'error.type': '23505', 'db.response.status_code': '23505' }, 'P2002, 23505'],
    ['invalid', 'create Order', { 'error.type': 'PrismaClientValidationError' }, undefined],
    ['failedRaw', '$queryRawUnsafe', { 'error.type': '42P01', 'db.response.status_code': '42P01' }, 'P2010, 42P01'],
    ['expired', '$transaction', { 'error.type': 'P2028' }, 'P2028'],
    ['rolledBack', '$transaction', { 'error.type': 'RangeError' }, undefined],
  ])('of a failure (%s) the class and the codes are recorded', (name, span, attributes, message) => {
    const [failed] = operation(name).spans.filter((each) => each.name === span)
    expect(failed?.attributes).toMatchObject(attributes)
    expect(failed?.events[0]?.attributes['exception.type']).toBe(operation(name).outcome)
    expect(failed?.events[0]?.attributes['exception.message']).toBe(message)
  })

  it('values are recorded nowhere', () => {
    const { operations, series } = printed
    const spans = Object.values(operations).flatMap((each) =>
      // The messages of the database are those of the traced pool.
      each.spans.filter(({ name }) => !name.startsWith('INSERT')),
    )
    expect(spans.length).toBeGreaterThan(20)
    expect(JSON.stringify({ spans, series })).not.toMatch(/secret/)
  })

  it('operations are timed by model and operation, with the code of the error', () => {
    const counts = printed.series
      .filter(({ namespace }) => namespace === 'none')
      .map(({ operation, collection, error, count }) => `${operation} ${collection} ${error} ${count}`)
    expect(counts.toSorted()).toEqual([
      '$queryRaw none none 1',
      '$queryRawUnsafe none P2010 1',
      '$transaction none P2028 1',
      '$transaction none RangeError 1',
      '$transaction none none 3',
      'count Item none 2',
      'count Order P2028 1',
      'count Order none 3',
      'create Order P2002 1',
      'create Order PrismaClientValidationError 1',
      'create Order none 2',
      'findMany Order none 2',
    ])
    expect(printed.series).toContainEqual(expect.objectContaining({ operation: 'COMMIT', namespace: database }))
  })

  it('docs/guides/clients.md quotes the recipe without changes', () => {
    const page = readFileSync(join(root, 'docs/guides/clients.md'), 'utf8')
    expect(page).toContain(`\n${readFileSync(join(project, 'database.ts'), 'utf8')}\`\`\`\n`)
  })
})
