import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { freezeTree, killTree, thawTree } from './process-tree.ts'

/** A real server of a test's own, on a port of 127.0.0.1 and in a temporary folder. */
export interface TestServer {
  /** Where it listens, with the name and password of who may do everything. */
  readonly url: string
  readonly port: number
  /** Starts it again after `stop` or `kill`, at the same place and with the same data; settles when it answers. */
  start(): Promise<void>
  /** Shuts it down in order; settles when it has ended. */
  stop(): Promise<void>
  /** Ends it without a good-bye, as a crash does. */
  kill(): Promise<void>
  /** Has it hang: connections stay and nobody answers. */
  freeze(): void
  thaw(): void
  /** Ends it and removes its folder. */
  dispose(): Promise<void>
}

export interface ServerPlan {
  readonly name: string
  readonly url: string
  readonly port: number
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** The signal of an orderly shutdown. */
  readonly stopSignal: NodeJS.Signals
  /** Rejects while the server does not answer. */
  readonly greet: () => Promise<unknown>
  /** Removes what was made for it. */
  readonly clear: () => Promise<void>
}

const longestStart = 180_000
const longestStop = 60_000

/** Runs a server as it is planned. It ends with this process at the latest. */
export async function runServer(plan: ServerPlan): Promise<TestServer> {
  let child: ChildProcess | undefined
  let output = ''

  const start = async (): Promise<void> => {
    if (child !== undefined) {
      throw new Error(`${plan.name} runs already`)
    }
    const started = spawn(plan.command, plan.args, {
      ...plan.user,
      env: plan.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    output = ''
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk).slice(-4_000)
      })
    }
    started.on('error', (error) => {
      output += error.message
    })
    started.on('exit', () => {
      child = undefined
    })
    const givingUp = Date.now() + longestStart
    for (let isUp = false; !isUp; isUp = await acceptsConnections(plan)) {
      if (child !== started || Date.now() > givingUp) {
        await kill()
        throw new Error(`${plan.name} does not start: ${output}`)
      }
      await wait(20)
    }
  }

  const end = async (send: (pid: number) => void): Promise<void> => {
    const running = child
    if (running?.pid !== undefined) {
      const ended = once(running, 'exit')
      send(running.pid)
      await ended
    }
  }

  const kill = (): Promise<void> => end(killTree)

  const stop = (): Promise<void> =>
    end((pid) => {
      thawTree(pid)
      process.kill(pid, plan.stopSignal)
      const impatience = setTimeout(killTree, longestStop, pid)
      child?.once('exit', () => clearTimeout(impatience))
    })

  const killAtExit = (): void => {
    if (child?.pid !== undefined) {
      killTree(child.pid)
    }
  }
  // By default a signal ends the process without an `exit`.
  const exitAtSignal = (): void => process.exit(143)
  process.once('exit', killAtExit).once('SIGTERM', exitAtSignal)

  const dispose = async (): Promise<void> => {
    process.removeListener('exit', killAtExit).removeListener('SIGTERM', exitAtSignal)
    await kill()
    await plan.clear()
  }

  const withPid = (act: (pid: number) => void) => (): void => {
    if (child?.pid === undefined) {
      throw new Error(`${plan.name} does not run`)
    }
    act(child.pid)
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  const { url, port } = plan
  return { url, port, start, stop, kill, freeze: withPid(freezeTree), thaw: withPid(thawTree), dispose }
}

async function acceptsConnections({ greet }: ServerPlan): Promise<boolean> {
  try {
    await greet()
    return true
  } catch {
    return false
  }
}
