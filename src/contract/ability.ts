/**
 * What an adapter, or a service, can do only where the framework and the server beneath it let it:
 *
 * - `rawTargets`: to hand on the path of a request with its dots, where the server does not make a URL of it first
 * - `allTargets`: to be handed a request whatever its target is, where the server refuses or changes none by itself
 * - `preparedFields`: to have a response before its route answers, on which header fields are set
 * - `sentAnswers`: to be told when an answer has been sent, and not only that it was taken to be sent
 */
export type ConformanceAbility = (typeof abilities)[number]

/** Why the abilities are not there that are not. */
export type UnsupportedAbilities<A extends ConformanceAbility = ConformanceAbility> = Readonly<
  Partial<Record<A, string | undefined>>
>

export const abilities = ['rawTargets', 'allTargets', 'preparedFields', 'sentAnswers'] as const

/** @throws TypeError where one is none of these abilities, or has no reason. */
export function checkUnsupported<A extends ConformanceAbility>(
  unsupported: UnsupportedAbilities<A>,
  known: readonly A[],
): void {
  for (const [ability, reason] of Object.entries(unsupported)) {
    if (!known.some((each) => each === ability)) {
      throw new TypeError(`unsupported may hold ${known.join(', ')}, not ${JSON.stringify(ability)}`)
    }
    if (typeof reason !== 'string' || reason === '') throw new TypeError(`unsupported.${ability} must say why`)
  }
}
