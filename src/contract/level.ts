/** Requirement level of a rule (RFC 2119). */
export type RequirementLevel = 'MUST' | 'SHOULD' | 'MAY'

const strength: Readonly<Record<RequirementLevel, number>> = { MUST: 2, SHOULD: 1, MAY: 0 }

/** Whether a rule's level is at least the weakest selected one. */
export function counts(level: RequirementLevel, weakest: RequirementLevel): boolean {
  return strength[level] >= strength[weakest]
}

export function isLevel(text: string): text is RequirementLevel {
  return Object.hasOwn(strength, text)
}
