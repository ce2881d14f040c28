import { arch, release, type } from 'node:os'
import type { InfoContributor } from '../info/contributor.ts'

/** `os`: name, version and architecture of the operating system. */
export function osInfo(): InfoContributor {
  return () => ({ os: { name: type(), version: release(), arch: arch() } })
}
