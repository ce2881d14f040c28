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
  if (process.versions['bun'] !== undefined) throw missing('Bun cannot inspect another thread')
  if (process.versions['deno'] !== undefined) throw missing('Deno cannot inspect another thread')
}

/**
 * Checks that a thread can inspect the main thread.
 *
 * @throws HttpError 501 with the reason: the missing permission, or the runtime.
 */
export function requireInspector(): void {
  requireNode()
  if (!process.features.inspector) throw missing('this build of Node has no inspector')
  if (isDenied('inspector')) {
    const [major = 0] = process.versions.node.split('.').map(Number)
    throw missing(
      major < 24
        ? 'the inspector is not available under the permission model of this version of Node'
        : 'the inspector requires the permission --allow-inspector',
    )
  }
}

/** Returns whether a thread may be started that can inspect the main thread. */
export function canInspect(): boolean {
  try {
    requireWorkerThreads()
    requireInspector()
    return true
  } catch {
    return false
  }
}

/** Whether Node's permission model is enabled and denies something. */
function isDenied(permission: 'worker' | 'inspector'): boolean {
  // Undefined unless the permission model is enabled, contrary to its type.
  const { permission: granted } = process as { readonly permission?: NodeJS.ProcessPermission }
  return granted !== undefined && !granted.has(permission)
}

function missing(reason: string): HttpError {
  return new HttpError(501, `Not available: ${reason}.`)
}
