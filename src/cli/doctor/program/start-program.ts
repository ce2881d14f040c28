import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { source } from './preload.ts?worker-source'
import type { ProgramFacts } from './program-facts.ts'

/** A program that `upkeep doctor` has started. */
export interface StartedProgram {
  /** Reads facts. Rejects if the program has ended, or does not reply in time. */
  facts(): Promise<ProgramFacts>
  /** Whether a server has begun to listen. */
  readonly isListening: boolean
  /** Ends it by SIGTERM, and after 3 s by SIGKILL. */
  end(): Promise<void>
}

/** The program has listened to nothing new for this long: it has started. */
const settleMilliseconds = 300

const endMilliseconds = 3_000

/** The end of its output that is shown if the program ends. */
const maxOutput = 2_000

/**
 * Starts a program with the preload, and waits until it listens, at most this long.
 *
 * @throws Error with the end of its output if it has ended by then.
 */
export async function startProgram(file: string, timeoutMilliseconds: number): Promise<StartedProgram> {
  const child = spawn(process.execPath, ['--import', preloadUrl(), file], {
    env: { ...process.env, UPKEEP_DOCTOR: String(process.pid) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-maxOutput)
    })
  }
  const lines = readLines(child)
  const end = () => endProgram(child, ended)
  const stop = () => void child.kill('SIGKILL')
  process.once('exit', stop)
  void ended.then(() => process.off('exit', stop))

  const isListening = await waitForListening(lines, ended, timeoutMilliseconds)
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode} before it listened:\n${output.trimEnd()}`)
  }
  return {
    isListening,
    async facts() {
      const reply = lines.next((line) => line.startsWith('{'))
      lines.write('facts\n')
      const line = await Promise.race([reply, ended.then(() => undefined), wait(timeoutMilliseconds, undefined, unref)])
      if (line === undefined) throw new Error(`${file} has ended, or its event loop is blocked`)
      return JSON.parse(line)
    },
    end,
  }
}

const unref = { ref: false } as const

/** A module that can import Node's own modules only, which is all that the preload needs: nothing is written. */
function preloadUrl(): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
}

interface Lines {
  /** Resolves with the next line that matches. */
  next(matches: (line: string) => boolean): Promise<string>
  write(text: string): void
}

function readLines({ stdio: [, , , pipe] }: ChildProcess): Lines {
  // Safe: a pipe beyond the standard streams is a duplex stream.
  const socket = pipe as Readable & { write(text: string): unknown }
  const waiting = new Set<(line: string) => void>()
  let rest = ''
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) for (const receive of [...waiting]) receive(line)
  })
  return {
    next: (matches) =>
      new Promise((resolve) => {
        const receive = (line: string): void => {
          if (!matches(line)) return
          waiting.delete(receive)
          resolve(line)
        }
        waiting.add(receive)
      }),
    write: (text) => void socket.write(text),
  }
}

async function waitForListening(lines: Lines, ended: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const listening = async (limit: number): Promise<boolean> => {
    const next = lines.next((line) => line === 'listening').then(() => true)
    return Promise.race([next, ended.then(() => false), wait(limit, false, unref)])
  }
  if (!(await listening(milliseconds))) return false
  while (await listening(settleMilliseconds));
  return true
}

async function endProgram(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await Promise.race([ended, wait(endMilliseconds, undefined, unref)])
  child.kill('SIGKILL')
  await ended
}
