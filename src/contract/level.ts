/** Requirement level of a rule (RFC 2119). */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

const strength: Readonly<Record<Level, number>> = { MUST: 2, SHOULD: 1, MAY: 0 }

/** Whether a rule's level is at least the weakest selected one. */
export function counts(level: Level, weakest: Level): boolean {
  return strength[level] >= strength[weakest]
}

export function isLevel(text: string): text is Level {
  return Object.hasOwn(strength, text)
}
