/**
 * What an adapter can do only where the framework and the server beneath it let it:
 *
 * - `rawTargets`: to hand on the target of a request as it came, with its dots, and with no URL made of it
 * - `preparedFields`: to have a response before its route answers, on which header fields are set
 * - `sentAnswers`: to be told when an answer has been sent, and not only that it was taken to be sent
 */
export type ConformanceAbility = 'rawTargets' | 'preparedFields' | 'sentAnswers'

/** Why the abilities are not there that are not. */
export type LackingAbilities = Readonly<Partial<Record<ConformanceAbility, string>>>

/** @throws TypeError where that is no ability, or has no reason. */
export function checkLacking(lacks: LackingAbilities): void {
  for (const [ability, reason] of Object.entries(lacks)) {
    if (!abilities.includes(ability)) throw new TypeError(`lacks must hold ${abilities.join(', ')}, not ${ability}`)
    if (typeof reason !== 'string' || reason === '') throw new TypeError(`lacks.${ability} must say why`)
  }
}

const known: Readonly<Record<ConformanceAbility, true>> = { rawTargets: true, preparedFields: true, sentAnswers: true }
const abilities = Object.keys(known)
