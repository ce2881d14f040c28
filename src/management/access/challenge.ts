import { optionOutOfRange } from '../../base/errors.ts'

/** Returns a `WWW-Authenticate` challenge: a scheme and its parameters as quoted strings (RFC 9110 §11.3). */
export function formatChallenge(scheme: string, parameters: Readonly<Record<string, string>>): string {
  const formatted = Object.entries(parameters).map(([name, value]) => `${name}=${quote(name, value)}`)
  return `${scheme} ${formatted.join(', ')}`
}

function quote(name: string, value: string): string {
  if (!/^[\t\x20-\x7e]*$/.test(value)) {
    throw optionOutOfRange(`${name}: expected printable ASCII, received ${JSON.stringify(value)}`)
  }
  return `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}
