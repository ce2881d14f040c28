import type { ClusterView } from '../../cluster/cluster-host.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import type { DescribedParameter } from '../../rest/openapi/operation.ts'

/** At most six digits: no group has more members. */
const slotForm = /^(?:0|[1-9]\d{0,5})$/

/** The query parameter `member`, which restricts an operation to one member of a cluster. */
export const memberParameter: DescribedParameter = {
  name: 'member',
  description: 'Restricts to one member of the cluster, by its number.',
  schema: { type: 'integer', minimum: 0, maximum: 999_999 },
}

/** The query parameter `member` of what is shown of one member, or of all as one. */
export const memberOrAllParameter: DescribedParameter = {
  name: 'member',
  description: 'Restricts to one member of the cluster, by its number. Without it, or with all, members are merged.',
  schema: { anyOf: [{ type: 'integer', minimum: 0, maximum: 999_999 }, { const: 'all' }] },
}

/** Returns the slot that the query parameter `member` names, or `undefined` without one. @throws HttpError 400. */
export function readMember(query: URLSearchParams): number | undefined {
  const text = readMemberText(query)
  return text === undefined ? undefined : parseSlot(text, 'the number of a member')
}

/** Returns the value of the query parameter `member`. @throws HttpError 400 for several. */
export function readMemberText(query: URLSearchParams): string | undefined {
  const text = query.get('member')
  if (text === null) return undefined
  if (query.getAll('member').length > 1) throw new HttpError(400, 'The query parameter member must occur once.')
  return text
}

/** Returns a slot. @throws HttpError 400 naming what is expected. */
export function parseSlot(text: string, expected: string): number {
  if (slotForm.test(text)) return Number(text)
  const received = JSON.stringify(text.slice(0, 100))
  throw new HttpError(400, `The query parameter member must be ${expected}, received ${received}.`)
}

/** Requires that a member is alive; one that has just joined is known after the members have been read. Rejects with HttpError 404. */
export async function requireMember(view: ClusterView | undefined, slot: number): Promise<void> {
  const isAlive = () => view?.members().some((member) => member.isAlive && member.identity.slot === slot) === true
  if (isAlive()) return
  await view?.source.refresh?.()
  if (!isAlive()) throw memberNotFound(slot, view)
}

/** Creates the error for a slot that no member has. */
export function memberNotFound(slot: number, view: ClusterView | undefined): HttpError {
  if (view === undefined) {
    return new HttpError(404, `Member ${slot} not found: the application has not joined a cluster.`)
  }
  const slots = view.members().flatMap(({ isAlive, identity }) => (isAlive ? [identity.slot] : []))
  const shown = slots.slice(0, 100).map(String)
  return new HttpError(404, `Member ${slot} not found; the members are ${shown.join(', ')}.`, {
    members: { members: shown },
  })
}
