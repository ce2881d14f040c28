/**
 * Returns whether Node's permission model is enabled and denies something: to inspect threads, to use the network, or to
 * start worker threads. Called in the main thread: others know no permissions.
 */
export function isDenied(permission: 'inspector' | 'net' | 'worker'): boolean {
  // Undefined unless the permission model is enabled, contrary to its type.
  const { permission: granted } = process as { readonly permission?: NodeJS.ProcessPermission }
  if (granted === undefined || granted.has(permission)) return false
  // Versions that do not restrict the network report it as denied, too.
  return permission !== 'net' || process.allowedNodeEnvironmentFlags.has('--allow-net')
}
