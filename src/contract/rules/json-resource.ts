import { type Answer, fieldOf, want } from '../answer.ts'
import { skip } from '../check-result.ts'
import type { Service } from '../service.ts'

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

/** Returns a media type without its parameters. */
export function essenceOf(answer: Answer): string {
  return (fieldOf(answer, 'content-type').split(';')[0] ?? '').trim().toLowerCase()
}

/** Asserts a media type that this kind of service may send without Accept. */
export function wantJson(answer: Answer, { settings: { profile } }: Service): void {
  want(answer, profile.jsonTypes.includes(essenceOf(answer)), `Content-Type: ${profile.jsonTypes.join(' or ')}`)
}
