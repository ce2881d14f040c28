import { hideCredentials, isSecretName } from '../../base/redaction.ts'
import type { EnvOptions } from './env-options.ts'
import { namePattern } from './name-pattern.ts'
import { otherArguments, processId } from './process-properties.ts'
import type { PropertyValue } from './property-source.ts'

const masked = '******'

/** Returns a value as it may be shown; `areShown` is whether the caller may see values that no rule names. */
type Masking = (name: string, value: PropertyValue, areShown: boolean) => PropertyValue

export function createMasking({ show = [], mask = [] }: EnvOptions): Masking {
  // The process id is no secret, and Spring Boot Admin finds the process by it.
  const exact = new Set([processId, ...show.filter((name) => !name.includes('*'))])
  const shown = show.filter((name) => name.includes('*')).map(namePattern)
  const hidden = mask.map(namePattern)
  const isShown = (name: string, areShown: boolean) => {
    if (hidden.some((matches) => matches(name))) return false
    if (exact.has(name)) return true
    return !maySecret(name) && (areShown || shown.some((matches) => matches(name)))
  }
  return (name, value, areShown) => {
    if (!isShown(name, areShown)) return masked
    return typeof value === 'string' ? hideCredentials(value) : value
  }
}

/** Arguments without a name may be anything. */
function maySecret(name: string): boolean {
  return name === otherArguments || isSecretName(name)
}
