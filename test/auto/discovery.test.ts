import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applicationPort, upkeepLines, writeApplication } from '../support/auto-application.ts'
import { built } from '../support/built.ts'
import { freePort } from '../support/free-port.ts'

/** Creates a pool in the turn in which it listens, and uses it; another client of a program when it is asked for. */
const program = `
import { createServer } from 'node:http'
import pg from 'pg'
const options = { host: '127.0.0.1', port: Number(process.env.DATABASE_PORT), password: 's3cret', user: 'app_user' }
const pool = new pg.Pool({ ...options, database: 'orders' })
pool.query('SELECT 1').catch(() => {})
const server = createServer(async (req, res) => {
  if (req.url === '/report') {
    globalThis.reports = new pg.Pool({ ...options, database: 'reports' })
    await globalThis.reports.query('SELECT 1').catch(() => {})
  }
  if (req.url === '/end') await pool.end()
  res.end()
})
server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))
process.stdin.on('data', () => process.exit())
`

async function startShop(env: Readonly<Record<string, string>> = {}) {
  const application = await writeApplication({ 'app.mjs': program })
  symlinkSync(built('node_modules/pg'), join(application.folder, 'node_modules/pg'))
  const databasePort = await freePort()
  const child = application.start({
    env: { UPKEEP_TOKEN: 's3cret-token', DATABASE_PORT: String(databasePort), ...env },
  })
  const port = await applicationPort(child)
  await child.err.line(/health at/)
  const health = async (path = '') => {
    const { status, text } = await application.get(`/management/health${path}`, 's3cret-token')
    return { status, health: JSON.parse(text), text }
  }
  const visit = async (path: string) => void (await (await fetch(`http://127.0.0.1:${port}${path}`)).text())
  return { application, child, health, visit, databasePort }
}

describe('upkeep/auto', () => {
  it('shows the database of an application that knows nothing of it, and the disk', async () => {
    const { application, health, visit, databasePort } = await startShop()
    const refused = { host: '127.0.0.1', port: databasePort, error: expect.stringContaining('ECONNREFUSED') }
    const first = await health()
    expect(first).toMatchObject({
      status: 503,
      health: {
        status: 'DOWN',
        components: {
          db: { status: 'DOWN', details: { ...refused, name: 'orders', pool: { total: 0, maximum: 10 } } },
          diskSpace: { status: 'UP', details: { free: expect.any(Number) } },
        },
      },
    })
    expect(first.text).not.toMatch(/s3cret|app_user|SELECT/)
    // Health as a whole is for people; a probe does not depend on another system.
    expect((await application.get('/readyz')).status).toBe(200)
    expect((await application.get('/livez')).status).toBe(200)
    await visit('/report')
    expect((await health('/db')).health.components).toMatchObject({
      orders: { status: 'DOWN' },
      reports: { status: 'DOWN', details: refused },
    })
  })

  it('does not show a client that the application has ended', async () => {
    const { health, visit } = await startShop()
    await visit('/end')
    await expect.poll(async () => Object.keys((await health()).health.components)).not.toContain('db')
  })

  it('makes readiness depend on what UPKEEP_READINESS names, and liveness on nothing', async () => {
    const { application, child } = await startShop({ UPKEEP_READINESS: 'db, cache, db/orders' })
    expect((await application.get('/readyz')).status).toBe(503)
    expect((await application.get('/livez')).status).toBe(200)
    for (const name of ['cache', 'db/orders']) {
      const known = 'db, kafka, mongo, nats, rabbit, redis, diskSpace'
      expect(upkeepLines(child)).toContainEqual(
        `upkeep: UPKEEP_READINESS: expected components of ${known}, received "${name}"`,
      )
    }
  })

  it.each([
    ['false', ['livenessState', 'readinessState']],
    ['db', ['db', 'livenessState', 'readinessState']],
    ['redis,diskSpace', ['diskSpace', 'livenessState', 'readinessState']],
  ])('finds with UPKEEP_DISCOVER=%s nothing else', async (value, components) => {
    const { health } = await startShop({ UPKEEP_DISCOVER: value })
    expect(Object.keys((await health()).health.components)).toEqual(components)
  })
})
