import type { ReadStream, WriteStream } from 'node:tty'

/** The whole terminal, until `close`. */
interface Terminal {
  /** Replaces what is shown by these lines: at most as many as it has rows. */
  readonly draw: (lines: readonly string[]) => void
  readonly size: () => { readonly rows: number; readonly columns: number }
  /** Restores the terminal. Further calls have no effect. */
  readonly close: () => void
}

interface Listeners {
  /** Called with what was typed, as the terminal sends it. */
  readonly onKeys: (keys: string) => void
  readonly onResize: () => void
}

const enter = '\u001b[?1049h\u001b[?25l'
const leave = '\u001b[?25h\u001b[?1049l'

/** Shows the alternate screen without a cursor, and reads keys. Restored as well when the process ends by an exception. */
export function openTerminal(input: ReadStream, output: WriteStream, { onKeys, onResize }: Listeners): Terminal {
  let last = ''
  let isOpen = true
  const begin = () => {
    input.setRawMode(true)
    output.write(enter)
  }
  const resume = () => {
    last = ''
    begin()
    onResize()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close).off('uncaughtExceptionMonitor', close).off('SIGCONT', resume)
    output.off('resize', onResize)
    output.write(leave)
    input.off('data', onKeys).setRawMode(false)
    input.pause()
  }
  const draw = (lines: readonly string[]) => {
    // Each line is erased before it is written: behind its last column an erasure would remove a character.
    const frame = `\u001b[H${lines.map((line) => `\u001b[K${line}`).join('\r\n')}`
    if (!isOpen || frame === last || output.writableNeedDrain) return
    last = frame
    output.write(frame)
  }
  // The monitor is called before Node prints the exception, which the alternate screen would hide.
  process.on('exit', close).on('uncaughtExceptionMonitor', close).on('SIGCONT', resume)
  output.on('resize', onResize)
  input.setEncoding('utf8').on('data', onKeys).resume()
  begin()
  return { draw, size: () => ({ rows: output.rows || 24, columns: output.columns || 80 }), close }
}

/** Reads a line that is not shown; `undefined` if it is cancelled by Ctrl-C or Ctrl-D. */
export function readHidden(question: string, input: ReadStream, output: WriteStream): Promise<string | undefined> {
  // Before the question: the terminal would show what is typed in reply to it until its mode changes.
  input.setRawMode(true)
  output.write(question)
  return new Promise((resolve) => {
    let text = ''
    const end = (result: string | undefined) => {
      process.off('exit', restore)
      input.off('data', read)
      restore()
      resolve(result)
    }
    const restore = () => {
      input.setRawMode(false)
      input.pause()
      output.write('\n')
    }
    const read = (keys: string) => {
      for (const key of keys) {
        if (key === '\r' || key === '\n') return end(text)
        if (key === '\u0003' || key === '\u0004') return end(undefined)
        text = key === '\u007f' || key === '\b' ? text.slice(0, -1) : text + key
      }
    }
    process.on('exit', restore)
    input.setEncoding('utf8').on('data', read).resume()
  })
}
