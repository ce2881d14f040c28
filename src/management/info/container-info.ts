import { containerLimit } from '../../base/container-memory.ts'
import { lazy } from '../../base/lazy.ts'
import type { InfoContributor } from './contributor.ts'

const files = lazy(() => process.getBuiltinModule('node:fs/promises'))

/**
 * `container`: the memory limit of the container and what is available of it, in bytes, and the version and the path of
 * the control group. Omitted where there is neither.
 */
export function containerInfo(): InfoContributor {
  return async () => {
    const memory = memoryLimit()
    const cgroup = await readCgroup()
    return memory === undefined && cgroup === undefined ? undefined : { container: { memory, cgroup } }
  }
}

function memoryLimit(): { readonly limit: number; readonly available: number } | undefined {
  const limit = containerLimit()
  return limit === undefined ? undefined : { limit, available: process.availableMemory?.() }
}

/** Reads the group of this process: the only one in version 2, that of the memory controller in version 1. */
async function readCgroup(): Promise<{ readonly version: 1 | 2; readonly path: string } | undefined> {
  try {
    const lines = (await files().readFile('/proc/self/cgroup', 'utf8')).split('\n').map((line) => line.split(':'))
    const unified = lines.find(([id, controllers]) => id === '0' && controllers === '')
    const memory = lines.find(([, controllers = '']) => controllers.split(',').includes('memory'))
    if (memory?.[2] !== undefined) return { version: 1, path: memory.slice(2).join(':') }
    return unified?.[2] === undefined ? undefined : { version: 2, path: unified.slice(2).join(':') }
  } catch {
    return undefined
  }
}
