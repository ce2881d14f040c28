import { describe, expect, it } from 'vitest'
import { type DocumentedProgram, startDocumented } from '../../migrate/documented-program.ts'
import { type Database, startDatabase } from '../../migrate/start-database.ts'
import { built } from '../../support/built.ts'

const project = built('build/with/incumbents')

const page = 'terminus.md#@godaddy/terminus'

async function start(name: string, delay: Readonly<Record<string, string>>) {
  const database = await startDatabase()
  return { database, program: await startDocumented(page, name, { env: database.env, replace: delay, project }) }
}

const startBefore = () => start('before.mjs', { '5_000': '1_000' })
const startAfter = () => start('after.mjs', { "'5s'": "'1s'" })
const startBoth = () => start('both.mjs', { '5_000': '1_000' })

/** What a client of terminus reads. */
async function read({ get }: DocumentedProgram) {
  const { status, json } = await get('/health')
  const { status: word, details } = json as { status: string; details: { db?: unknown } }
  return { status, word, db: details.db }
}

/** What a client and an operator see of a shutdown during a request. */
async function shutDown({ program, database }: { program: DocumentedProgram; database: Database }) {
  const pending = program.get('/orders')
  await database.queried
  program.child.process.kill('SIGTERM')
  await expect.poll(async () => (await program.get('/health')).status, { interval: 20 }).toBe(503)
  database.answered()
  const { status, text } = await pending
  const code = await program.child.ended
  return { status, text, code, printed: program.child.out.lines }
}

describe('coming from @godaddy/terminus', () => {
  it('the same client reads the same health, of a database that is up and down', async () => {
    const sides = await Promise.all([startBefore(), startAfter()])
    const [old, current] = sides
    const up = { status: 200, word: 'ok', db: { status: 'up', version: '17.2' } }
    expect(await read(old.program)).toEqual(up)
    expect(await read(current.program)).toEqual(up)
    for (const { database } of sides) database.isUp = false
    const down = { status: 503, word: 'error', db: { status: 'down', message: 'connect ECONNREFUSED' } }
    expect(await read(old.program)).toEqual(down)
    // upkeep caches the result of a check for a second.
    await expect.poll(() => read(current.program)).toEqual(down)
  })

  it('a signal has the same effects: 503, then the pending request, then the hook, then exit code 0', async () => {
    const [old, current] = await Promise.all([startBefore(), startAfter()])
    const ends = await Promise.all([shutDown(old), shutDown(current)])
    const end = { status: 200, text: '[]', code: 0, printed: ['database closed'] }
    expect(ends).toEqual([end, end])
  })

  it('both serve the same application, and refuse traffic at the same time', async () => {
    const { program, database } = await startBoth()
    expect((await program.get('/health')).status).toBe(200)
    expect((await program.get('/management/health')).json).toMatchObject({ status: 'UP' })
    const pending = program.get('/orders')
    await database.queried
    program.child.process.kill('SIGTERM')
    await expect.poll(async () => (await program.get('/management/health/readiness')).status).toBe(503)
    expect((await program.get('/health')).status).toBe(503)
    expect((await program.get('/management/health/liveness')).status).toBe(200)
    database.answered()
    expect((await pending).status).toBe(200)
    expect(await program.child.ended).toBe(0)
  })
})
