import type { TakeExemplar } from './exemplar.ts'

/** Where the meters of a registry get exemplars, which may begin when there are meters already. */
export interface Exemplars {
  /** `false` while there are none: a meter then costs no more than one without exemplars. */
  readonly isOn: boolean
  readonly take: TakeExemplar
}
