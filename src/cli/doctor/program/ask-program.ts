import type { ChildProcess } from 'node:child_process'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProgramFacts, ServerFacts } from './program-facts.ts'

/** What the preload replies to a question, as a line of JSON. */
interface Replies {
  readonly servers: readonly ServerFacts[]
  readonly facts: ProgramFacts
}

/** The pipe to the preload of a program. */
export interface Questions {
  /** Resolves with the reply. Rejects if the program has ended, fails to reply, or does not reply in time. */
  readonly ask: <Name extends keyof Replies>(question: Name, milliseconds: number) => Promise<Replies[Name]>
}

/** Asks one question after the other. */
export function createQuestions({ stdio: [, , , pipe] }: ChildProcess, exited: Promise<void>): Questions {
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
