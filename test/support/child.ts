import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** The output of a process on one stream, by line. */
export interface Printed {
  /** The complete lines so far. */
  readonly lines: readonly string[]
  /**
   * Resolves with the n-th matching line, past or future. Rejects when the stream closes without it.
   */
  line(matches: RegExp, nth?: number): Promise<string>
}

/** A child process. */
export interface Child {
  readonly process: ChildProcess
  readonly out: Printed
  readonly err: Printed
  writeInput(text: string): void
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  /** Sends SIGKILL, and waits for the exit. */
  kill(): Promise<void>
}

export function startChild(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  // The process may exit during a write.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null)
  return {
    process: child,
    out: followLines(child.stdout),
    err: followLines(child.stderr),
    writeInput: (text) => void child.stdin.write(text),
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function followLines(stream: Readable): Printed {
  const lines: string[] = []
  const waiting = new Set<() => void>()
  let rest = ''
  let isOver = false

  function wake(): void {
    for (const each of [...waiting]) each()
  }
  stream.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  stream.on('close', () => {
    isOver = true
    wake()
  })

  async function line(matches: RegExp, nth = 1): Promise<string> {
    for (;;) {
      const found = lines.filter((each) => matches.test(each))[nth - 1]
      if (found !== undefined) return found
      if (isOver) throw new Error(`stream closed without ${matches}: ${lines.join('\n')}`)
      await new Promise<void>((resolve) => {
        const again = (): void => {
          waiting.delete(again)
          resolve()
        }
        waiting.add(again)
      })
    }
  }
  return { lines, line }
}
