import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { createQuestions, type Questions } from './ask-program.ts'
import { endProgram, endWithCommand, isEnded } from './end-program.ts'
import { source } from './preload.ts?worker-source'
import type { ProgramFacts } from './program-facts.ts'

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
 * Starts a program with the preload, and waits until it listens, at most this long.
 *
 * @throws Error with the end of its output if it has ended by then, and Error if its event loop is blocked.
 */
export async function startProgram(file: string, timeoutMilliseconds: number): Promise<StartedProgram> {
  const child = spawn(process.execPath, ['--import', preloadUrl(), file], {
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
