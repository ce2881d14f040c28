import type { Service } from '../service.ts'
import { skip } from '../skip.ts'

/** Returns a cacheable JSON resource: `info` if it is exposed. */
export async function keptResource(service: Service): Promise<string> {
  for (const endpoint of ['info', 'metrics'] as const) if (await service.has(endpoint)) return `/${endpoint}`
  return skip('neither info nor metrics is exposed')
}

/** Returns any JSON resource. */
export async function jsonResource(service: Service): Promise<string> {
  for (const endpoint of ['info', 'metrics', 'health'] as const) if (await service.has(endpoint)) return `/${endpoint}`
  return skip('no endpoint is exposed')
}
