import type { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { withDeadline } from '../../base/deadline.ts'
import { missing } from '../diagnostics/mechanisms.ts'
import type { ThreadTask } from '../thread-protocol.ts'
import type { CommandName, InspectorTarget, ParamsOf, ResultOf } from './inspector-target.ts'

/** For how long a thread that runs JavaScript needs at most until it executes a command. */
export const commandMilliseconds = 10_000

/** A session with the main thread, from another thread. */
export interface MainSession extends InspectorTarget {
  /** The session itself, for commands about the worker threads. */
  readonly session: Session
}

/**
 * Connects to the main thread, which may be blocked.
 *
 * @throws HttpError 501 if that is not possible in this process.
 */
export function openMainSession(): MainSession {
  const session = connectToMainThread()
  let isPaused = false
  let isDetached = false
  session.on('Debugger.paused', () => {
    isPaused = true
  })
  return {
    ...{ id: 'main', thread: 'main' },
    session,
    post: (name, ...params) => withDeadline(post(session, name, ...params), commandMilliseconds, name),
    on: (event, listener) => {
      session.on(event, ({ params }: { readonly params: unknown }) => {
        // An event that was sent before the session ended: of a pause that another session has asked for.
        if (!isDetached) listener(params)
      })
    },
    detach() {
      if (isDetached) return
      isDetached = true
      // To disconnect resumes it only if no other session has enabled the debugger.
      if (isPaused) session.post('Debugger.resume')
      session.disconnect()
    },
  }
}

/**
 * Connects to the main thread, from the thread of the watchdog and of diagnostics.
 *
 * @throws HttpError 501 if that is not possible in this process.
 */
function connectToMainThread(): Session {
  const { missingInspector }: ThreadTask = workerData
  if (missingInspector !== undefined) throw missing(missingInspector)
  const session = new (process.getBuiltinModule('node:inspector').Session)()
  session.connectToMainThread()
  return session
}

/** Sends a command whose name and parameters belong together by the signature. */
function post<Name extends CommandName>(
  session: Session,
  name: Name,
  ...[params]: ParamsOf<Name>
): Promise<ResultOf<Name>> {
  return new Promise((resolve, reject) => {
    session.post(name, params, (error: Error | null, result?: object) => {
      // Safe: the table of commands states the results of the protocol.
      if (error === null) resolve(result as ResultOf<Name>)
      else reject(error)
    })
  })
}
