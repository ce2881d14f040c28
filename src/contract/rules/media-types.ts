import { type Answer, fieldOf, want } from '../answer.ts'
import type { Service } from '../service.ts'

/** A media type without its parameters. */
export function essenceOf(answer: Answer): string {
  return (fieldOf(answer, 'content-type').split(';')[0] ?? '').trim().toLowerCase()
}

/** Holds an answer to the media types that the service's kind gives to who does not say what they accept. */
export function wantJson(answer: Answer, { settings: { profile } }: Service): void {
  want(answer, profile.jsonTypes.includes(essenceOf(answer)), `Content-Type: ${profile.jsonTypes.join(' or ')}`)
}
