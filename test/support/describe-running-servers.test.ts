import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startChild } from './child.ts'
import { missingServer, running } from './describe-running-servers.ts'
import { describeServer } from './describe-server.ts'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { startPostgres } from './start-postgres.ts'
import { startRedis } from './start-redis.ts'

const servers = Object.values(running)

/** Listens on a free port, and does something with each connection. */
function useListener(serve: (socket: Socket) => void): () => number {
  const sockets = new Set<Socket>()
  let server: Server
  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      serve(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return () => (server.address() as AddressInfo).port
}

describe('a server that the tests need', () => {
  it.each(servers)('is unavailable if nothing listens: $name', async (server) => {
    const port = await freePort()
    expect(await missingServer({ ...server, port })).toMatch(
      new RegExp(
        `^${server.name} at 127\\.0\\.0\\.1:${port} does not let the tests in \\(.*(ECONN|CONNECTION_)REFUSED.*\\)$`,
      ),
    )
  })

  describe('that uses another protocol', () => {
    const port = useListener((socket) => {
      socket.write('220 mail.example ESMTP\r\n')
      socket.on('data', () => socket.write('500 unrecognized command\r\n'))
    })
    it.concurrent.each(servers)('is unavailable: $name', async (server) => {
      expect(await missingServer({ ...server, port: port() }, 3_000)).toMatch(/does not let the tests in \(.+\)$/)
    })
    it.concurrent('is described by the bytes that it sends: PostgreSQL', async () => {
      expect(await missingServer({ ...running.postgres, port: port() }, 3_000)).toContain('it sends "220 mail.example')
    })
  })

  describe('that accepts connections and never responds', () => {
    const port = useListener((socket) => socket.resume())
    it.concurrent.each(servers)('is unavailable: $name', async (server) => {
      expect(await missingServer({ ...server, port: port() }, 3_000)).toContain('no login within 3 s; it sends nothing')
    })
  })
})

const install = 'apt-get install postgresql'
describeServer({ name: 'PostgreSQL', program: findProgram('initdb'), install, start: startPostgres }, (server) => {
  const missing = () => missingServer({ ...running.postgres, port: server().port })

  /** Changes who may log in, as a superuser of another name. */
  async function reconfigure(access: string): Promise<void> {
    const client = new pg.Client({ host: '127.0.0.1', port: server().port, user: 'admin', database: 'postgres' })
    await client.connect()
    const { rows } = await client.query<{ hba_file: string }>('show hba_file')
    await writeFile(rows[0]?.hba_file ?? '', `host all admin 127.0.0.1/32 trust\n${access}\n`)
    await client.query('select pg_reload_conf()')
    await client.end()
  }

  it('is available if it accepts the credentials of the tests', async () => {
    expect(await missing()).toBeUndefined()
    const client = new pg.Client(server().url)
    await client.connect()
    await client.query('create role admin superuser login')
    await client.end()
  })

  it.each([
    ['asks for a password', 'host all all 127.0.0.1/32 scram-sha-256', /password/],
    ['asks for TLS', 'hostssl all all 127.0.0.1/32 trust', /no encryption/],
    ['refuses everybody', 'host all all 127.0.0.1/32 reject', /rejects connection/],
  ])('is unavailable if it %s', async (_, access, reason) => {
    await reconfigure(access)
    await expect.poll(missing, { timeout: 180_000 }).toMatch(reason)
  })

  /** Runs a test file that needs this server; resolves with its exit code and output. */
  async function runTests(env: NodeJS.ProcessEnv) {
    const run = fileURLToPath(new URL('fixtures/run.mjs', import.meta.url))
    const child = startChild(process.execPath, [run, 'needs-postgres.fixture.ts'], {
      env: { ...process.env, FIXTURE_PORT: String(server().port), NO_COLOR: '1', ...env },
    })
    const code = await child.ended
    return { code, output: [...child.out.lines, ...child.err.lines].join('\n') }
  }

  it('skips the tests that need it, with the reason and how to start one', async () => {
    await reconfigure('host all all 127.0.0.1/32 scram-sha-256')
    await expect.poll(missing, { timeout: 180_000 }).toMatch(/password/)
    const { code, output } = await runTests({ UPKEEP_REQUIRE_SERVERS: '' })
    expect(output).toMatch(/SKIPPED: PostgreSQL at 127\.0\.0\.1:\d+ does not .*password.*: bash \.ci\/servers\.sh/)
    expect(output).toMatch(/1 skipped/)
    expect(code).toBe(0)
  })

  it('fails the tests that need it where servers are required', async () => {
    const { code, output } = await runTests({ UPKEEP_REQUIRE_SERVERS: '1' })
    expect(output).toMatch(/PostgreSQL at 127\.0\.0\.1:\d+ does not let the tests in/)
    expect(code).toBe(1)
  })

  it('is unavailable if it has no such role', async () => {
    await reconfigure('host all all 127.0.0.1/32 trust')
    await expect.poll(missing, { timeout: 180_000 }).toBeUndefined()
    const client = new pg.Client({ host: '127.0.0.1', port: server().port, user: 'admin', database: 'postgres' })
    await client.connect()
    await client.query('alter role postgres rename to somebody')
    await client.end()
    expect(await missing()).toMatch(/role "postgres" does not exist/)
    const { code } = await runTests({ UPKEEP_REQUIRE_SERVERS: '' })
    expect(code).toBe(0)
  })
})

const startSecuredRedis = () => startRedis({ password: 'of-somebody-else' })
describeServer(
  {
    name: 'Redis',
    program: findProgram('redis-server'),
    install: 'apt-get install redis-server',
    start: startSecuredRedis,
  },
  (server) => {
    it('is unavailable if it requires a password', async () => {
      expect(await missingServer({ ...running.redis, port: server().port })).toMatch(/NOAUTH/)
    })
  },
)
