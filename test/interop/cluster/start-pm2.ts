import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { built } from '../../support/built.ts'

const execute = promisify(execFile)
/** Not a dependency of this repository: its licence is the AGPL. */
const pinned = 'pm2@7.0.4'

/** A PM2 with a daemon of its own. */
export interface Pm2 {
  /** Starts the application of pm2-app.mjs with two instances. */
  start(mode: 'cluster' | 'fork', port: number): Promise<void>
  run(...args: readonly string[]): Promise<string>
  dispose(): Promise<void>
}

/** Installs PM2 in a temporary folder, which is its home as well. */
export async function startPm2(): Promise<Pm2> {
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-pm2-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await execute('npm', ['install', ...options, pinned], { cwd: folder })
  const home = join(folder, 'home')
  const env = { PATH: process.env['PATH'], HOME: folder, PM2_HOME: home, PM2_DISABLE_VERSION_CHECK: 'true' }
  const run = async (...args: readonly string[]) => {
    const { stdout } = await execute(process.execPath, ['node_modules/pm2/bin/pm2', ...args], { cwd: folder, env })
    return stdout
  }
  return {
    run,
    async start(mode, port) {
      const application = {
        name: 'shop',
        script: join(import.meta.dirname, 'pm2-app.mjs'),
        instances: 2,
        exec_mode: mode,
        // In fork mode each instance listens on a port of its own.
        ...(mode === 'fork' && { increment_var: 'PORT' }),
        kill_timeout: 15_000,
        listen_timeout: 15_000,
        env: {
          PORT: port,
          DIRECTORY: join(folder, `groups-${mode}`),
          UPKEEP_DIST: resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..'),
        },
      }
      const file = join(folder, `${mode}.config.cjs`)
      await writeFile(file, `module.exports = { apps: [${JSON.stringify(application)}] }`)
      await run('start', file)
    },
    async dispose() {
      const pid = Number(await readFile(join(home, 'pm2.pid'), 'utf8').catch(() => '0'))
      await run('kill').catch(() => pid > 0 && process.kill(pid, 'SIGKILL'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
