/**
 * Returns whether a debugger may be attached: whether its port is open. Pausing a thread would then continue a process
 * that a developer has stopped. Known on the main thread only; false if Node was built without the inspector.
 */
export function isDebugged(): boolean {
  return process.features.inspector && process.getBuiltinModule('node:inspector').url() !== undefined
}
