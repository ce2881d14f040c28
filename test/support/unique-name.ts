import { randomUUID } from 'node:crypto'

/** Returns a name that no other run uses, for what a test makes in a server that it shares with others. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomUUID().slice(0, 8)}`
}
