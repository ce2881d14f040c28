import type { Service } from '../service.ts'
import { skip } from '../skip.ts'

/** Endpoints to which the general rules are applied, one rule each. */
export const endpoints = ['health', 'info', 'metrics', 'prometheus'] as const

/** Returns a cacheable JSON resource; `info` if exposed. */
export async function keptResource(service: Service): Promise<string> {
  for (const endpoint of ['info', 'metrics'] as const) if (await service.has(endpoint)) return `/${endpoint}`
  return skip('neither info nor metrics is exposed')
}

/** Returns any JSON resource. */
export async function jsonResource(service: Service): Promise<string> {
  for (const endpoint of ['info', 'metrics', 'health'] as const) if (await service.has(endpoint)) return `/${endpoint}`
  return skip('no endpoint is exposed')
}
