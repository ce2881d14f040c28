import { type Answer, fieldOf, want } from '../answer.ts'
import type { Service } from '../service.ts'

/** Returns a media type without its parameters. */
export function essenceOf(answer: Answer): string {
  return (fieldOf(answer, 'content-type').split(';')[0] ?? '').trim().toLowerCase()
}

/** Asserts a media type that this kind of service may send without Accept. */
export function wantJson(answer: Answer, { settings: { profile } }: Service): void {
  want(answer, profile.jsonTypes.includes(essenceOf(answer)), `Content-Type: ${profile.jsonTypes.join(' or ')}`)
}
