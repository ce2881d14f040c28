import type { MessagePort } from 'node:worker_threads'
import type { Report } from '../../base/report.ts'
import type { ProfileOptions } from '../profile/profile-options.ts'
import type { RecorderOptions } from '../recorder/recorder-options.ts'
import type { RunOperation } from './diagnostic-operation.ts'
import { requireWorkerThreads } from './mechanisms.ts'
import { createOperationClient } from './operation-port.ts'

/** The thread in which profiles and dumps are made: that of the watchdog or, without one, a thread of its own. */
export interface DiagnosticThread {
  /** How profiles are taken. @default the defaults */
  readonly profile?: ProfileOptions | undefined
  /** The flight recorder, which runs in the thread of the watchdog. @default none */
  readonly recorder?: RecorderOptions | undefined
  /**
   * Uses the thread at the other end of a port. `expectBlock` is called before the event loop is blocked on purpose.
   * Returns a function that ends this. For `watchdog`.
   */
  attach(port: MessagePort, expectBlock?: ExpectBlock): () => void
}

/**
 * Announces that the event loop will be blocked, for at most so many milliseconds. Returns a function that ends this.
 */
export type ExpectBlock = (milliseconds: number) => () => void

/** Runs operations in the diagnosing thread. */
export interface Diagnostics extends DiagnosticThread {
  /** Starts a thread unless one runs. Rejects with an HttpError 501 where threads are not permitted. */
  readonly run: RunOperation
  /** Whether a watchdog runs, in whose thread operations are run. */
  readonly isWatched: boolean
  /** Announces a block to each watchdog that is attached. */
  readonly expectBlock: ExpectBlock
  /** Ends the thread, unless it is that of a watchdog. */
  close(): void
}

/** The thread that was started because no watchdog runs. */
interface OwnThread {
  readonly run: RunOperation
  readonly end: () => void
}

/** Creates diagnostics. No thread is started before the first operation. */
export function createDiagnostics(
  report: Report,
  { profile, recorder }: Pick<DiagnosticThread, 'profile' | 'recorder'> = {},
): Diagnostics {
  let attached: readonly { readonly run: RunOperation; readonly expectBlock: ExpectBlock }[] = []
  let own: Promise<OwnThread> | undefined

  const start = async (): Promise<OwnThread> => {
    requireWorkerThreads()
    // Loaded when it is needed: the program is long.
    const { startThread } = await import('../start-thread.ts')
    const { port, worker } = startThread()
    worker.on('error', (error) => report('the thread for diagnostics failed', error))
    worker.once('exit', () => {
      own = undefined
    })
    worker.unref()
    return { run: createOperationClient(port), end: () => void worker.terminate() }
  }
  const ownThread = (): Promise<OwnThread> => {
    own ??= start().catch((error) => {
      own = undefined
      throw error
    })
    return own
  }

  return {
    profile,
    recorder,
    get isWatched() {
      return attached.length > 0
    },
    // The thread of a watchdog that starts later takes over; what runs in the own one is finished there.
    run: async (name, input, signal) => {
      const { run } = attached.at(-1) ?? (await ownThread())
      return run(name, input, signal)
    },
    expectBlock(milliseconds) {
      const ends = attached.map(({ expectBlock }) => expectBlock(milliseconds))
      return () => {
        for (const end of ends) end()
      }
    },
    attach(port, expectBlock = () => () => {}) {
      const thread = { run: createOperationClient(port), expectBlock }
      attached = [...attached, thread]
      const detach = (): void => {
        attached = attached.filter((other) => other !== thread)
        port.close()
      }
      port.once('close', detach)
      return detach
    },
    close() {
      own?.then(
        ({ end }) => end(),
        () => {},
      )
    },
  }
}
