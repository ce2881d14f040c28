import { formatPlainText } from '../plain-text.ts'
import { writeToStandardOutput } from '../standard-output.ts'

/** Somewhere to write a line to: a stream, or only its `write`. */
export interface LineDestination {
  write(line: string): unknown
}

/**
 * A destination for `pino()` that writes each record as a line for people, in the plain-text form. A line that is no record
 * goes through as it is.
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
