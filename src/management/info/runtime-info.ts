import type { InfoContributor } from './contributor.ts'

/** `runtime`: what runs the application, and in which versions. */
export function runtimeInfo(): InfoContributor {
  const { node, v8, uv, openssl } = process.versions
  return () => ({ runtime: { name: 'node', version: node, v8, uv, openssl } })
}
