import type { Clock } from '../base/clock.ts'
import type { ClusterCommand, ClusterHost, MemberResponse } from './cluster-host.ts'
import type { RequestFiles } from './files/request-files.ts'
import type { MemberRecord } from './member-image.ts'

interface MemberRequestsParts {
  readonly files: RequestFiles
  readonly host: Pick<ClusterHost, 'respond'>
  readonly slot: number
  readonly members: () => readonly MemberRecord[]
  readonly broadcast: (command: ClusterCommand) => void
  readonly clock: Clock
}

/** Requests of this member to others, and theirs to this one. */
interface MemberRequests {
  /** Sends a request to the member of a slot. Rejects if it cannot be written. */
  send(slot: number, request: string, milliseconds: number): Promise<MemberResponse>
  /** Applies a command by which another member announces requests. */
  serve(command: Extract<ClusterCommand, { kind: 'requests' }>): void
}

/** How long a member looks for requests after one was announced, in milliseconds. */
const servedMilliseconds = 60_000
const maxAnnounced = 1_000

/**
 * Creates the requests between members. A member looks for requests only after another one has announced them by a
 * command; this is repeated while requests are sent.
 */
export function createMemberRequests(parts: MemberRequestsParts): MemberRequests {
  const { files, host, slot: own, members, broadcast, clock } = parts
  /** Until when each member looks for requests, by incarnation. */
  const announced = new Map<string, number>()

  const find = (slot: number) =>
    members().find(({ identity, isAlive }) => isAlive && identity.slot === slot)?.identity.incarnation

  function note(incarnation: string, until: number): void {
    if (announced.size >= maxAnnounced) announced.clear()
    announced.set(incarnation, until)
  }

  function announce(incarnation: string, slot: number): void {
    const now = clock.wallTime()
    if ((announced.get(incarnation) ?? 0) > now + servedMilliseconds / 2) return
    broadcast({ kind: 'requests', until: now + servedMilliseconds, slots: [slot] })
    note(incarnation, now + servedMilliseconds)
  }

  return {
    async send(slot, request, milliseconds) {
      const incarnation = find(slot)
      if (incarnation === undefined) return 'gone'
      announce(incarnation, slot)
      return files.send(slot, request, milliseconds, () => find(slot) !== incarnation)
    },
    serve({ until, slots = [] }) {
      const end = Math.min(until, clock.wallTime() + servedMilliseconds)
      if (slots.includes(own)) files.serve(own, end, host.respond)
      // What another member has announced need not be announced again.
      for (const slot of slots) {
        const incarnation = find(slot)
        if (incarnation !== undefined) note(incarnation, end)
      }
    },
  }
}
