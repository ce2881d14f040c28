import { isDenied } from '../../base/permissions.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/**
 * Checks that a thread may be started.
 *
 * @throws HttpError 501 with the missing permission.
 */
export function requireWorkerThreads(): void {
  if (isDenied('worker')) throw missing('starting a thread requires the permission --allow-worker')
}

/**
 * Checks that the runtime is Node. Bun reports success and inspects the wrong thread: it cannot be tried.
 *
 * @throws HttpError 501 with the name of the runtime.
 */
export function requireNode(): void {
  const runtime = otherRuntime()
  if (runtime !== undefined) throw missing(runtime)
}

/**
 * Returns why a thread cannot inspect the main thread: the runtime, or the missing permission; `undefined` if it can.
 * Called in the main thread: others know no permissions, and an attempt without one aborts the process (Node 20).
 */
export function findMissingInspector(): string | undefined {
  const runtime = otherRuntime()
  if (runtime !== undefined) return runtime
  if (!process.features.inspector) return 'this build of Node has no inspector'
  if (isDenied('inspector')) {
    const [major = 0] = process.versions.node.split('.').map(Number)
    return major < 24
      ? 'the inspector is not available under the permission model of this version of Node'
      : 'the inspector requires the permission --allow-inspector'
  }
  return undefined
}

/** Returns whether a thread may be started that can inspect the main thread. */
export function canInspect(): boolean {
  return !isDenied('worker') && findMissingInspector() === undefined
}

/**
 * Returns why a directory may not be written and read; `undefined` if it may. Called in the main thread: other threads
 * know no permissions (Node 20).
 */
export function findMissingFiles(directory: string): string | undefined {
  const path = process.getBuiltinModule('node:path').resolve(directory)
  if (isDenied('fs.write', path)) return 'it requires the permission --allow-fs-write'
  return isDenied('fs.read', path) ? 'it requires the permission --allow-fs-read' : undefined
}

function otherRuntime(): string | undefined {
  if (process.versions['bun'] !== undefined) return 'Bun cannot inspect another thread'
  if (process.versions['deno'] !== undefined) return 'Deno cannot inspect another thread'
  return undefined
}

/** Creates the error for a mechanism that this process does not have. */
export function missing(reason: string): HttpError {
  return new HttpError(501, `Not available: ${reason}.`)
}

/**
 * Returns whether a debugger may be attached: whether its port is open. Pausing a thread would then continue a process
 * that a developer has stopped. Known on the main thread only; false if Node was built without the inspector.
 */
export function isDebugged(): boolean {
  return process.features.inspector && process.getBuiltinModule('node:inspector').url() !== undefined
}
