import { formatPlainText } from '../plain-text.ts'
import { writeToStandardOutput } from '../standard-output.ts'

/** A destination of lines: a stream, or an object with `write`. */
export interface LineDestination {
  write(line: string): unknown
}

/**
 * Returns a destination for `pino()` that writes each record as plain text. Lines that are not records are written
 * unchanged.
 */
export function plainText(destination: LineDestination = { write: writeToStandardOutput }): LineDestination {
  return {
    write(line) {
      destination.write(toText(line))
    },
  }
}

function toText(line: string): string {
  try {
    return `${formatPlainText(JSON.parse(line))}\n`
  } catch {
    return line
  }
}
