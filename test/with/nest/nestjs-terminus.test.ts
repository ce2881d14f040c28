import { describe, expect, it } from 'vitest'
import { type DocumentedProgram, startDocumented } from '../../migrate/documented-program.ts'
import { type Database, startDatabase } from '../../migrate/start-database.ts'
import { built } from '../../support/built.ts'

const project = built('build/with/nest')

async function start(name: string, replace: Readonly<Record<string, string>>) {
  const database = await startDatabase()
  return {
    database,
    program: await startDocumented('terminus.md#@nestjs/terminus', name, { env: database.env, replace, project }),
  }
}

const startBoth = () => Promise.all([start('before.ts', { '5_000': '1_000' }), start('after.ts', { "'5s'": "'1s'" })])

type Side = { readonly program: DocumentedProgram; readonly database: Database }
const read = async ({ program }: Side) => {
  const { status, json } = await program.get('/health')
  return { status, json }
}

describe('coming from @nestjs/terminus', () => {
  it('a client receives the same JSON with the same status, of a database that is up, down and shut down', async () => {
    const sides = await startBoth()
    const [old, current] = sides
    const info = { db: { status: 'up', version: '17.2' } }
    const up = { status: 200, json: { status: 'ok', info, error: {}, details: info } }
    expect(await read(old)).toEqual(up)
    expect(await read(current)).toEqual(up)

    for (const { database } of sides) database.isUp = false
    const error = { db: { status: 'down', message: 'connect ECONNREFUSED' } }
    const down = { status: 503, json: { status: 'error', info: {}, error, details: error } }
    expect(await read(old)).toEqual(down)
    // upkeep caches the result of a check for a second.
    await expect.poll(() => read(current)).toEqual(down)

    for (const { program } of sides) program.child.process.kill('SIGTERM')
    const ending = { status: 503, json: { status: 'shutting_down', info: {}, error } }
    for (const side of sides) await expect.poll(() => read(side), { interval: 20 }).toMatchObject(ending)
    expect(await current.program.child.ended).toBe(await old.program.child.ended)
  })

  it('a group has the format of terminus beside the default one', async () => {
    const { program } = await start('formats.mjs', {})
    const info = { db: { status: 'up', version: '17.2' } }
    expect((await program.get('/health')).json).toEqual({ status: 'ok', info, error: {}, details: info })
    expect((await program.get('/management/health')).json).toMatchObject({ status: 'UP' })
  })
})
