import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { findProgram, userOf } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

const run = promisify(execFile)

/** Starts a PostgreSQL that lets the user `postgres` in without a password. */
export async function startPostgres(): Promise<TestServer> {
  const [postgres, initdb] = [findProgram('postgres'), findProgram('initdb')]
  if (postgres === undefined || initdb === undefined) {
    throw new Error('PostgreSQL is not installed')
  }
  // It refuses to run as root.
  const user = userOf('postgres')
  const folder = await mkdtemp(join(tmpdir(), 'postgres-'))
  if (user !== undefined) {
    await chown(folder, user.uid, user.gid)
  }
  const data = join(folder, 'data')
  const options = ['--auth=trust', '--username=postgres', '--locale=C', '--encoding=UTF8', '--no-sync']
  await run(initdb, ['-D', data, ...options], { ...user, cwd: folder })

  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=16MB']
  return await runServer({
    name: 'PostgreSQL',
    url,
    port,
    command: postgres,
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    user,
    stopSignal: 'SIGINT',
    greet: async () => {
      const client = new pg.Client(url)
      client.on('error', () => {})
      try {
        await client.connect()
        await client.query('SELECT 1')
      } finally {
        await client.end()
      }
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}
