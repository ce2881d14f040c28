import { failure } from '../base/errors.ts'

/** A file to which events are appended, one JSON object per line. */
export interface AuditFile {
  /**
   * Its path. It is opened for each event, so that it can be rotated by renaming, and created for its owner alone (mode
   * 600).
   */
  readonly file: string
}

const maxWaiting = 1_000

/** Returns a function that appends events to a file in their order. It rejects if one cannot be written. */
export function appendTo(file: string): (event: object) => Promise<void> {
  let last = Promise.resolve()
  let waiting = 0
  return async (event) => {
    // The file system may hang.
    if (waiting >= maxWaiting) throw failure('UPKEEP_ESTATE', `${file}: ${maxWaiting} events wait to be written`)
    waiting += 1
    const { appendFile } = process.getBuiltinModule('node:fs/promises')
    const written = last.then(() => appendFile(file, `${JSON.stringify(event)}\n`, { mode: 0o600 }))
    last = written.catch(() => {})
    try {
      await written
    } finally {
      waiting -= 1
    }
  }
}
