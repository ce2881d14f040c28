import type { HeapProfiler, Session } from 'node:inspector'
import { dirname } from 'node:path'
import { HttpError } from '../../http/errors/http-error.ts'
import type { OperationHandlers } from '../diagnostics/diagnostic-operation.ts'
import { openMainSession } from '../inspector/main-session.ts'

/** Creates the operation that writes a snapshot of the heap of the main thread to a file, one at a time. */
export function createSnapshotWriter(): OperationHandlers['heapdump'] {
  let isWriting = false

  return async ({ path }) => {
    if (isWriting) throw new HttpError(409, 'Another heap snapshot is in progress.')
    isWriting = true
    try {
      return { bytes: await writeSnapshot(path) }
    } finally {
      isWriting = false
    }
  }
}

/** Writes a snapshot. The main thread is blocked meanwhile; V8 cannot cancel it. */
async function writeSnapshot(path: string): Promise<number> {
  const { closeSync, fstatSync, openSync, rmSync } = process.getBuiltinModule('node:fs')
  const file = openSync(path, 'r+')
  try {
    // The reader has opened it, too. Without a name it is deleted when both have ended, however they end.
    rmSync(dirname(path), { recursive: true, force: true })
    const { session, detach } = openMainSession()
    try {
      await takeSnapshot(session, file)
    } finally {
      detach()
    }
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

async function takeSnapshot(session: Session, file: number): Promise<void> {
  const { writeFileSync } = process.getBuiltinModule('node:fs')
  let failure: unknown
  session.on(
    'HeapProfiler.addHeapSnapshotChunk',
    ({ params }: { readonly params: HeapProfiler.AddHeapSnapshotChunkEventDataType }) => {
      if (failure !== undefined) return
      try {
        writeFileSync(file, params.chunk)
      } catch (error) {
        failure = error
      }
    },
  )
  await new Promise<void>((resolve, reject) => {
    session.post('HeapProfiler.takeHeapSnapshot', { reportProgress: false }, (error) => {
      if (error === null) resolve()
      else reject(error)
    })
  })
  if (failure !== undefined) throw isDiskFull(failure) ? new HttpError(507, 'The disk is full.') : failure
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
