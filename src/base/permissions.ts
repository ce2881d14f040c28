import { failure } from './errors.ts'

/**
 * Returns whether Node's permission model is enabled and denies something: to inspect threads, to use the network, to
 * start worker threads, or to read or write the file `reference`. Called in the main thread: others know no
 * permissions.
 */
export function isDenied(
  permission: 'inspector' | 'net' | 'worker' | 'fs.read' | 'fs.write',
  reference?: string,
): boolean {
  // Undefined unless the permission model is enabled, contrary to its type.
  const { permission: granted } = process as { readonly permission?: NodeJS.ProcessPermission }
  if (granted === undefined || granted.has(permission, reference)) return false
  // Versions that do not restrict the network report it as denied, too.
  return permission !== 'net' || process.allowedNodeEnvironmentFlags.has('--allow-net')
}

/**
 * Checks that the process may listen on a port: otherwise Node throws where nothing catches it.
 *
 * @throws Error beginning with `name` and naming the missing permission.
 */
export function requireListening(name: string): void {
  if (isDenied('net'))
    throw failure('UPKEEP_EPERMISSION', `${name}: listening on a port requires the permission --allow-net`)
}
