import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** A process of its own, and the lines that it prints. */
export interface Child {
  readonly process: ChildProcess
  /** Everything that it has printed to standard error so far. */
  readonly errors: () => string
  /** Resolves with the first line, printed before or after, that `matches`; rejects when the process ends without one. */
  line(matches: RegExp): Promise<string>
  /** All lines printed to standard output so far. */
  readonly lines: readonly string[]
  say(text: string): void
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
  kill(): Promise<void>
}

export function startChild(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Child {
  const child = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const lines: string[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const each of waiting) each()
  }
  let rest = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  // It may end while it is being talked to.
  child.stdin.on('error', () => undefined)
  const ended = once(child, 'close').then(([code, signal]) => {
    hasEnded = true
    wake()
    return (code ?? signal) as number | NodeJS.Signals | null
  })
  let hasEnded = false

  return {
    process: child,
    errors: () => errors,
    lines,
    ended,
    async line(matches) {
      for (;;) {
        const found = lines.find((line) => matches.test(line))
        if (found !== undefined) return found
        if (hasEnded) throw new Error(`ended without ${matches}: ${lines.join('\n')}\n${errors}`)
        await new Promise<void>((resolve) => {
          const again = () => {
            waiting.delete(again)
            resolve()
          }
          waiting.add(again)
        })
      }
    },
    say: (text) => void child.stdin.write(text),
    async kill() {
      if (!hasEnded) child.kill('SIGKILL')
      await ended
    },
  }
}
