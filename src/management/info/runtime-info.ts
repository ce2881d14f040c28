import type { InfoContributor } from './contributor.ts'

/** `runtime`: the versions of Node and of its main dependencies. */
export function runtimeInfo(): InfoContributor {
  const { node, v8, uv, openssl } = process.versions
  return () => ({ runtime: { name: 'node', version: node, v8, uv, openssl } })
}
