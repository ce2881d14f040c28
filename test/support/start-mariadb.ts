import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createConnection } from 'mysql2/promise'
import { freePort } from './free-port.ts'
import { findProgram, userOf } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

const run = promisify(execFile)

/** Starts a MariaDB that lets `root` in without a password. */
export async function startMariadb(): Promise<TestServer> {
  const [mariadbd, install] = [findProgram('mariadbd'), findProgram('mariadb-install-db')]
  if (mariadbd === undefined || install === undefined) {
    throw new Error('MariaDB is not installed')
  }
  const user = userOf('mysql')
  const folder = await mkdtemp(join(tmpdir(), 'mariadb-'))
  if (user !== undefined) {
    await chown(folder, user.uid, user.gid)
  }
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--innodb-log-file-size=5M']
  await run(install, [...common, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    ...user,
    cwd: folder,
  })

  const port = await freePort()
  const url = `mysql://root@127.0.0.1:${port}/mysql`
  return await runServer({
    name: 'MariaDB',
    url,
    port,
    command: mariadbd,
    args: [
      ...common,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-fast-shutdown=2',
    ],
    user,
    stopSignal: 'SIGTERM',
    greet: async () => {
      const connection = await createConnection(url)
      await connection.query('SELECT 1')
      await connection.end()
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}
