/*
 * The entry point `upkeep/auto`, loaded before an application by `--import` or `-r`. Until the application opens its
 * first HTTP server, this file is all that is loaded: it imports nothing that other entry points have.
 */
import { isMainThread } from 'node:worker_threads'
import { collectEarlyClients } from './early-clients.ts'
import { holdSignals } from './held-signals.ts'
import { setTraps } from './traps.ts'
import { wakeOnce } from './wake.ts'

export type { AutoOptions, ShutdownTimes } from './settings/auto-options.ts'

/** Set in the processes in which Jest, Vitest and Node's runner execute tests. Their servers are not the application. */
const testRunners = ['JEST_WORKER_ID', 'VITEST', 'NODE_TEST_CONTEXT']

/** Runners that set no such variable: Mocha with its workers, the workers of AVA, and Jasmine. */
const testPrograms = [
  /(?:^|[\\/])(?:_?mocha|jasmine)(?:\.js)?$/,
  /[\\/]mocha[\\/]lib[\\/](?:cli|nodejs)[\\/][\w-]+\.c?js$/,
  /[\\/]ava[\\/]lib[\\/]worker[\\/][\w-]+\.c?js$/,
]

/** Package managers, tsx and PM2 with its daemon, which start the application as another process. */
const launchers = [
  /(?:^|[\\/])(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|corepack)(?:-cli)?(?:\.c?js|\.mjs)?$/,
  /(?:^|[\\/])tsx(?:[\\/]dist[\\/]cli\.mjs)?$/,
  /(?:^|[\\/])pm2(?:-runtime|-docker|-dev|[\\/]lib[\\/]Daemon\.js)?$/,
]

/** Whether a copy of this file is loaded already: `-r` and `--import` may load both of them. */
const loaded = Symbol.for('upkeep.auto')

if (isMainThread && !(loaded in globalThis)) begin()

/** Never throws: the application starts as it would without this file. */
function begin(): void {
  try {
    setVariablesOfPm2(process.env)
    if (shouldSleep(process)) return
    Object.defineProperty(globalThis, loaded, { value: true })
    const traps = setTraps()
    wakeOnce({
      isImmediate: process.env['UPKEEP_START'] === 'always',
      traps,
      clients: isOff(process.env['UPKEEP_DISCOVER']) ? undefined : collectEarlyClients(traps),
      signals: process.env['UPKEEP_SHUTDOWN'] === 'graceful' ? holdSignals() : undefined,
    })
  } catch {
    // Such as variables of PM2 that are not JSON.
  }
}

/**
 * Sets the variables of an application in PM2's cluster mode, as the container of PM2 does before it loads the
 * application, but after this file.
 */
function setVariablesOfPm2(env: NodeJS.ProcessEnv): void {
  const text = env['pm2_env']
  if (text === undefined) return
  for (const [name, value] of Object.entries(JSON.parse(text))) env[name] = String(value)
}

/** Returns whether the process stays as it is, with any server. */
function shouldSleep({ argv, env }: Pick<NodeJS.Process, 'argv' | 'env'>): boolean {
  const disabled = env['UPKEEP_DISABLED']?.trim()
  if (disabled && !isOff(disabled)) return true
  if (testRunners.some((name) => env[name] !== undefined)) return true
  return [...testPrograms, ...launchers].some((each) => each.test(argv[1] ?? ''))
}

function isOff(variable: string | undefined): boolean {
  return ['false', '0'].includes(variable?.trim().toLowerCase() ?? '')
}
