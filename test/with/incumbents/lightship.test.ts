import { describe, expect, it } from 'vitest'
import { type DocumentedProgram, startDocumented } from '../../migrate/documented-program.ts'
import { type Database, startDatabase } from '../../migrate/start-database.ts'
import { built } from '../../support/built.ts'

const project = built('build/with/incumbents')

const page = 'terminus.md#lightship'

interface Side {
  readonly program: DocumentedProgram
  readonly database: Database
}

async function start(name: string, replace: Readonly<Record<string, string>>): Promise<Side> {
  const database = await startDatabase()
  return { database, program: await startDocumented(page, name, { env: database.env, replace, project }) }
}

const withDelay = { 'detectKubernetes: false': 'detectKubernetes: false, shutdownDelay: 1_000' }
const startBefore = () => start('before.mjs', withDelay)
const startAfter = () => start('after.mjs', { "'5s'": "'1s'" })

/** What the kubelet concludes: any status from 200 to 399 is a success. */
async function probe({ program: { get, probePort } }: Side) {
  const paths = ['/health', '/live', '/ready']
  const statuses = paths.map(async (path) => [path, (await get(path, { port: probePort })).status < 400] as const)
  return Object.fromEntries(await Promise.all(statuses))
}

describe('coming from lightship', () => {
  it('the probes of Kubernetes conclude the same, but for /live during a shutdown', async () => {
    const sides = await Promise.all([startBefore(), startAfter()])
    const [old, current] = sides
    const starting = { '/live': true, '/ready': false }
    expect(await probe(old)).toMatchObject(starting)
    expect(await probe(current)).toMatchObject(starting)
    for (const { database } of sides) database.migrated()
    const ready = { '/health': true, '/live': true, '/ready': true }
    for (const side of sides) await expect.poll(() => probe(side)).toEqual(ready)

    const pending = sides.map(({ program }) => program.get('/orders'))
    for (const { database, program } of sides) {
      await database.queried
      program.child.process.kill('SIGTERM')
    }
    const ending = { '/health': false, '/ready': false }
    await expect.poll(() => probe(old), { interval: 20 }).toEqual({ ...ending, '/live': false })
    await expect.poll(() => probe(current), { interval: 20 }).toEqual({ ...ending, '/live': true })
    for (const { database } of sides) database.answered()
    expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 200])
    for (const { program } of sides) {
      await program.child.ended
      expect(program.child.out.lines).toContain('database closed')
    }
    expect(await current.program.child.ended).toBe(0)
  })

  it('both serve the same application, and become and cease to be ready at the same time', async () => {
    const { program, database } = await start('both.mjs', withDelay)
    const { get, probePort } = program
    const statuses = async () => [
      (await get('/ready', { port: probePort })).status,
      (await get('/management/health/readiness')).status,
    ]
    expect(await statuses()).toEqual([500, 503])
    database.migrated()
    await expect.poll(statuses).toEqual([200, 200])
    program.child.process.kill('SIGTERM')
    await expect.poll(statuses, { interval: 20 }).toEqual([500, 503])
    await program.child.ended
  })
})
