import type { MemberRecord } from './member-image.ts'

/** A member that writes is due once per second. */
const staleAfterSeconds = 2

/** Returns whether a member is alive, but has written nothing for two seconds: its event loop may be blocked. */
export function isStale({ isAlive, age }: Pick<MemberRecord, 'isAlive' | 'age'>): boolean {
  return isAlive && age > staleAfterSeconds
}
