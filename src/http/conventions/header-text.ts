import type { MessageHeaders } from '../message.ts'

/** Returns a field's value as one string; repeated fields are joined by commas (RFC 9110 §5.2). */
export function headerText(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
