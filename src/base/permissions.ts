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
