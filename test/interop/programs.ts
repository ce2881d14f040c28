/** Returns the path of a program that .ci/interop has built, from its variable. */
export function builtProgram(variable: string): string {
  const path = process.env[variable]
  if (path === undefined) throw new Error(`${variable} is not set: run bash .ci/interop`)
  return path
}
