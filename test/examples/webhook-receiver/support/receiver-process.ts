import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const built = resolve(import.meta.dirname, '../../../../build/examples/webhook-receiver/main.js')

export interface ReceiverProcess {
  readonly process: ChildProcess
  /** What it has printed so far, both ways. */
  output(): string
  /** Resolves when the output matches; rejects with the output when the process ends before it does. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** How it ended: an exit code or a signal's name. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

export interface ProcessOptions {
  readonly options?: readonly string[]
  readonly nodeOptions?: readonly string[]
  /** A command that runs the receiver, which follows it as its arguments. */
  readonly within?: readonly string[]
}

/** Starts the built receiver in a process of its own, on a free port. */
export function startProcess(
  environment: Readonly<Record<string, string>>,
  { options = [], nodeOptions = [], within = [] }: ProcessOptions = {},
): ReceiverProcess {
  if (!existsSync(built)) throw new Error(`${built} is missing: run "npm run build" first`)
  const [command = process.execPath, ...words] = [...within, process.execPath, ...nodeOptions, built, ...options]
  const child = spawn(command, words, {
    env: { PATH: process.env['PATH'], PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const waiting = new Set<() => void>()
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8')
    for (const look of waiting) look()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const ended = new Promise<number | NodeJS.Signals | null>((done) => {
    child.once('close', (code, signal) => done(signal ?? code))
  })
  const printed = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((found, reject) => {
      const look = () => {
        const match = pattern.exec(output)
        if (match === null) return
        waiting.delete(look)
        found(match)
      }
      waiting.add(look)
      look()
      void ended.then((end) => reject(new Error(`The receiver ended (${end}) without printing ${pattern}:\n${output}`)))
    })
  return { process: child, output: () => output, printed, ended }
}

/** The address that a started receiver prints. */
export async function originOf(receiver: ReceiverProcess): Promise<string> {
  const [, origin = ''] = await receiver.printed(/ listens on (\S+)\n[\s\S]*management/)
  return origin
}

/** The key of the new hook that a started receiver prints. */
export async function keyOf(receiver: ReceiverProcess): Promise<string> {
  const [, key = ''] = await receiver.printed(/\/hooks\/(\S+)\n/)
  return key
}

/** Starts receivers and sees to it that none outlives its test. */
export interface Receivers {
  start: typeof startProcess
  endAll(): Promise<void>
}

export function keepReceivers(): Receivers {
  const started: ReceiverProcess[] = []
  return {
    start: (environment, options) => {
      const receiver = startProcess(environment, options)
      started.push(receiver)
      return receiver
    },
    endAll: async () => {
      for (const receiver of started) receiver.process.kill('SIGKILL')
      await Promise.all(started.map(({ ended }) => ended))
      started.length = 0
    },
  }
}

/** Asks a receiver to end, and answers how it did. */
export function stopProcess(receiver: ReceiverProcess): ReceiverProcess['ended'] {
  receiver.process.kill('SIGTERM')
  return receiver.ended
}
