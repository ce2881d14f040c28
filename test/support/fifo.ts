import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'

/** A pipe with a name: whoever reads it is inside a system call until the test releases it. */
export interface Fifo {
  readonly path: string
  /** Resolves when it is being read, with a function that ends that. */
  untilRead(): Promise<() => void>
}

/** Creates a FIFO, which exists until the test is over. */
export function createFifo(): Fifo {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'fifo')
  execFileSync('mkfifo', [path])
  return {
    path,
    async untilRead() {
      // It cannot be opened for writing as long as there is no reader.
      const writer = await eventually(() => openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
      return () => closeSync(writer)
    },
  }
}
