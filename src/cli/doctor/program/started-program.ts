import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { source } from './preload.ts?worker-source'
import type { ProgramFacts, ServerFacts } from './program-facts.ts'

/** A program that `upkeep doctor` has started. */
export interface StartedProgram {
  /** Reads facts. Rejects if the program has ended, or does not reply in time. */
  facts(): Promise<ProgramFacts>
  /** Ends it by SIGTERM, and after 3 s by SIGKILL, with the processes that it has started. */
  end(): Promise<void>
}

const pollMilliseconds = 50

/** The program has begun to listen to nothing else for this long: it has started. */
const settleMilliseconds = 300

/** How long a program that listens to requests to its management only is given to listen to others. */
const applicationMilliseconds = 5_000

/** How long the end of the output may come after the exit: processes that the program has started may write to it. */
const outputMilliseconds = 500

/** The end of its output that is shown if the program ends. */
const maxOutput = 2_000

/**
 * Starts a program with the preload, and then a module of its own. Waits until it listens, at most this long.
 *
 * @throws Error with the end of its output if it has ended by then, and Error if its event loop is blocked.
 */
export async function startProgram(
  file: string,
  timeoutMilliseconds: number,
  module: string | undefined,
): Promise<StartedProgram> {
  const modules = [preloadUrl(), ...(module === undefined ? [] : [module])]
  const child = spawn(process.execPath, [...modules.flatMap((url) => ['--import', url]), file], {
    env: { ...process.env, UPKEEP_DOCTOR: String(process.pid) },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own, to end the processes that it starts.
    detached: process.platform !== 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => {
      output = (output + text.toString()).slice(-maxOutput)
    })
  }
  const exited = new Promise<void>((resolve) => {
    child.once('exit', resolve).once('error', (error) => {
      output = error.message
      resolve()
    })
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const stopWatching = endWithCommand(child)
  const questions = createQuestions(child, exited)
  const end = async () => {
    await endProgram(child, exited)
    stopWatching()
  }
  try {
    await waitForApplication(questions, timeoutMilliseconds)
  } catch (error) {
    const hasEnded = isEnded(child)
    if (hasEnded) await Promise.race([closed, wait(outputMilliseconds, undefined, { ref: false })])
    await end()
    if (!hasEnded) throw new Error(`${file}: ${(error as Error).message}`)
    throw new Error(`${file} ended with ${child.exitCode ?? child.signalCode} before it listened:\n${output.trimEnd()}`)
  }
  return { facts: () => questions.ask('facts', timeoutMilliseconds), end }
}

/** A module that can import Node's own modules only, which is all that the preload needs: nothing is written. */
function preloadUrl(): string {
  return `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`
}

/** Servers may be opened to find a free port, and a management before the application, which may connect first. */
async function waitForApplication({ ask }: Questions, timeoutMilliseconds: number): Promise<void> {
  const deadline = performance.now() + timeoutMilliseconds
  let [before, since] = ['', performance.now()]
  let listeningSince = Number.POSITIVE_INFINITY
  for (let now = since; now < deadline; now = performance.now()) {
    const servers = await ask('servers', deadline - now)
    const listening = JSON.stringify(servers)
    if (listening !== before) [before, since] = [listening, now]
    if (servers.length > 0) listeningSince = Math.min(listeningSince, now)
    const hasSettled = now - since >= settleMilliseconds
    if (hasSettled && servers.some(({ isOwn }) => !isOwn)) return
    if (hasSettled && now - listeningSince >= applicationMilliseconds) return
    await wait(pollMilliseconds)
  }
}

/** What the preload replies to a question, as a line of JSON. */
interface Replies {
  readonly servers: readonly ServerFacts[]
  readonly facts: ProgramFacts
}

/** The pipe to the preload of a program. */
interface Questions {
  /** Resolves with the reply. Rejects if the program has ended, fails to reply, or does not reply in time. */
  readonly ask: <Name extends keyof Replies>(question: Name, milliseconds: number) => Promise<Replies[Name]>
}

/** Asks one question after the other. */
function createQuestions({ stdio: [, , , pipe] }: ChildProcess, exited: Promise<void>): Questions {
  // Safe: a pipe beyond the standard streams is a duplex stream.
  const socket = pipe as Duplex
  let text = ''
  let receive: (line: string) => void = () => {}
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    const lines = (text + chunk.toString()).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) receive(line)
  })
  return {
    async ask(question, milliseconds) {
      const reply = new Promise<string>((resolve) => {
        receive = resolve
      })
      socket.write(`${question}\n`)
      const inTime = wait(milliseconds, 'it does not reply: its event loop is blocked', { ref: false })
      const failed = Promise.race([exited.then(() => 'it has ended'), inTime])
      const line = await Promise.race([reply, failed.then((reason) => Promise.reject(new Error(reason)))])
      const value = JSON.parse(line)
      if (value.failure !== undefined) throw new Error(`its management cannot be read: ${value.failure}`)
      return value
    },
  }
}

const endMilliseconds = 3_000

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

function isEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null || pid === undefined
}

/** Ends a program by SIGTERM, and after 3 s by SIGKILL, and then the processes that it has started. */
async function endProgram(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (!isEnded(child)) {
    child.kill('SIGTERM')
    await Promise.race([exited, wait(endMilliseconds, undefined, { ref: false })])
  }
  killGroup(child)
  await exited
  // A process outside the group may hold the other ends.
  for (const stream of child.stdio) stream?.destroy()
}

/** Kills a program if this process ends before it. Returns a function that stops it. */
function endWithCommand(child: ChildProcess): () => void {
  const kill = () => killGroup(child)
  const exit = (signal: NodeJS.Signals) => process.exit(128 + constants.signals[signal])
  process.once('exit', kill)
  for (const signal of endingSignals) process.once(signal, exit)
  return () => {
    process.off('exit', kill)
    for (const signal of endingSignals) process.off(signal, exit)
  }
}

/** The group has the id of the program, also after that has ended. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // ESRCH: the group is empty.
  }
}
