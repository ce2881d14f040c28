import type { MessageHeaders } from '../message.ts'

/** A field's value as one text; several lines of it are joined by a comma (RFC 9110 §5.2). */
export function headerText(headers: MessageHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value.join(', ')
}
