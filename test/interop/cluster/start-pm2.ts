import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { built } from '../../support/built.ts'

const execute = promisify(execFile)
/** Not a dependency of this repository: its licence is the AGPL. */
const pinned = 'pm2@7.0.4'

/** How PM2 runs the instances of an application: as workers of its own, or as processes. */
export type Pm2Mode = 'cluster' | 'fork'

/** What differs between applications, as PM2 names it. */
interface Pm2Application {
  readonly script: string
  readonly env?: object
  readonly autorestart?: boolean
}

/** A PM2 with a daemon of its own. */
export interface Pm2 {
  /** Starts the application of pm2-app.mjs with two instances. */
  start(mode: Pm2Mode, port: number): Promise<void>
  /** Writes the configuration of an application with two instances. Returns its path. */
  configure(mode: Pm2Mode, port: number, application: Pm2Application): Promise<string>
  run(...args: readonly string[]): Promise<string>
  /** Returns what the daemon has logged, and what the commands have written to stderr. */
  messages(): Promise<string>
  dispose(): Promise<void>
}

/** Installs PM2 in a temporary folder, which is its home as well. Its processes have these variables in addition. */
export async function startPm2(variables: Readonly<Record<string, string>> = {}): Promise<Pm2> {
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-pm2-'))
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await execute('npm', ['install', ...options, pinned], { cwd: folder })
  const home = join(folder, 'home')
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    PM2_HOME: home,
    PM2_DISABLE_VERSION_CHECK: 'true',
    ...variables,
  }
  let errors = ''
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await execute(process.execPath, ['node_modules/pm2/bin/pm2', ...args], {
      cwd: folder,
      env,
    })
    errors += stderr
    return stdout
  }
  const configure = async (mode: Pm2Mode, port: number, { env: more = {}, ...rest }: Pm2Application) => {
    const application = {
      name: 'shop',
      instances: 2,
      exec_mode: mode,
      // In fork mode each instance listens on a port of its own.
      ...(mode === 'fork' && { increment_var: 'PORT' }),
      kill_timeout: 15_000,
      listen_timeout: 180_000,
      env: { PORT: port, ...more },
      ...rest,
    }
    const file = join(folder, `${mode}-${port}.config.cjs`)
    await writeFile(file, `module.exports = { apps: [${JSON.stringify(application)}] }`)
    return file
  }
  return {
    run,
    configure,
    async start(mode, port) {
      const file = await configure(mode, port, {
        script: join(import.meta.dirname, 'pm2-app.mjs'),
        env: {
          DIRECTORY: join(folder, `groups-${mode}`),
          UPKEEP_DIST: resolve(built('build/node_modules/upkeep/dist/cluster.js'), '..'),
        },
      })
      await run('start', file)
    },
    async messages() {
      return errors + (await readFile(join(home, 'pm2.log'), 'utf8'))
    },
    async dispose() {
      const pid = Number(await readFile(join(home, 'pm2.pid'), 'utf8').catch(() => '0'))
      await run('kill').catch(() => pid > 0 && process.kill(pid, 'SIGKILL'))
      await rm(folder, { recursive: true, force: true })
    },
  }
}
