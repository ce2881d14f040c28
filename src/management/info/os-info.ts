import { lazy } from '../../base/lazy.ts'
import type { InfoContributor } from './contributor.ts'

const os = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:os'))

/** `os`: name, version and architecture of the operating system. */
export function osInfo(): InfoContributor {
  return () => ({ os: { name: os().type(), version: os().release(), arch: os().arch() } })
}
