import { invalidOption } from '../base/errors.ts'

/**
 * Abilities that depend on the framework and server beneath an adapter or service:
 *
 * - `rawTargets`: request targets reach the application unresolved, with dot segments
 * - `allTargets`: every request target reaches the application; the server rejects and rewrites none
 * - `preparedFields`: header fields can be set on the response before its route runs
 * - `sentAnswers`: completion of a response is reported when it was sent, not when it was handed over
 */
export type ConformanceAbility = (typeof abilities)[number]

/** Missing abilities, each with the reason. */
export type UnsupportedAbilities<A extends ConformanceAbility = ConformanceAbility> = Readonly<
  Partial<Record<A, string | undefined>>
>

export const abilities = ['rawTargets', 'allTargets', 'preparedFields', 'sentAnswers'] as const

/** @throws TypeError for an unknown ability, and for one without a reason. */
export function checkUnsupported<A extends ConformanceAbility>(
  unsupported: UnsupportedAbilities<A>,
  known: readonly A[],
): void {
  for (const [ability, reason] of Object.entries(unsupported)) {
    if (!known.some((each) => each === ability)) {
      throw invalidOption(`unsupported: expected ${known.join(', ')}, received ${JSON.stringify(ability)}`)
    }
    if (typeof reason !== 'string' || reason === '')
      throw invalidOption(`unsupported.${ability}: expected a non-empty reason`)
  }
}
