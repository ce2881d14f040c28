import { type Duration, durationMilliseconds } from '../../base/duration.ts'
import type { KeepingRule } from './held-requests.ts'

const defaultThreshold: Duration = '1s'

/** Returns the rule of an option; `undefined` for `false`. */
export function keepingRule(option: boolean | { readonly slowerThan?: Duration | undefined }): KeepingRule | undefined {
  if (option === false) return undefined
  const slowerThan = (option === true ? undefined : option.slowerThan) ?? defaultThreshold
  return { slowerThan, slowMilliseconds: durationMilliseconds(slowerThan, 'slowerThan') }
}
