import type { RuntimeMeasuring } from './bind-meters.ts'

/** `info`: always 1, with the name, vendor and version of the runtime as tags. */
export function bindRuntimeInfo({ meters, prefix }: RuntimeMeasuring): () => void {
  meters.gauge(`${prefix}info`, describeRuntime(process.versions), () => 1, {
    description: 'The version of the runtime',
  })
  return () => {}
}

/** Returns the tags of a runtime. Bun and Deno have the version of the Node that they are compatible with as well. */
export function describeRuntime(versions: Readonly<Record<string, string | undefined>>): {
  readonly runtime: string
  readonly vendor: string
  readonly version: string
} {
  const { node = 'unknown', bun, deno } = versions
  if (bun !== undefined) return { runtime: 'bun', vendor: 'Oven', version: bun }
  if (deno !== undefined) return { runtime: 'deno', vendor: 'Deno Land', version: deno }
  return { runtime: 'node', vendor: 'OpenJS Foundation', version: node }
}
