import { type MaybePromise, thenNow } from '../../base/maybe-promise.ts'
import type { Report } from '../../base/report.ts'
import type { AttachedCluster, ClusterView } from '../../cluster/cluster-host.ts'
import { isStale, type MemberRecord } from '../../cluster/member-image.ts'
import { mergeDocuments } from '../../console/members/merge-documents.ts'
import { splitRequestId } from '../../console/members/merge-lists.ts'
import type { OfMember } from '../../console/members/of-member.ts'
import { HttpError, isHttpError } from '../../http/errors/http-error.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { memberNotFound, parseSlot, readMemberText, requireMember } from './member-parameter.ts'

/** What a document is about. */
export interface DocumentRequest {
  /** Such as `meters/{name}`. */
  readonly path: string
  /** The decoded segment of the path that varies. */
  readonly variable: string
  readonly query: URLSearchParams
}

/** Returns a document of this member; its meters are those of `source`. @default those of this member */
export type ReadOwnDocument = (request: DocumentRequest, source?: SnapshotSource) => MaybePromise<object | undefined>

/** Documents of the members of a cluster, or of a process without one. */
export interface MemberDocuments {
  /** Returns the numbers of the members; none without a cluster. */
  members(): readonly string[]
  /** Returns whether a query selects this member alone. Rejects or throws with HttpError 400 or 404. */
  isOwn(query: URLSearchParams): MaybePromise<boolean>
  /** Returns what a query selects. Rejects or throws with HttpError 400, 404, or 504 for a member that does not respond. */
  read(request: DocumentRequest): MaybePromise<object | undefined>
}

/** How long a member is waited for, in milliseconds: one that was selected, and each of all. */
const limits = { ofOne: 3_000, ofAll: 1_500 } as const

/** Documents of more members are not merged. */
const maxMerged = 64

/**
 * Creates the documents that a query selects by `member`: those of one member by its number, or of all as one. Responds
 * to the requests of other members for those of this one.
 */
export function createMemberDocuments(
  cluster: Pick<AttachedCluster, 'view' | 'onRequest'>,
  readOwn: ReadOwnDocument,
  report: Report,
): MemberDocuments {
  cluster.onRequest((text) => respond(text, readOwn, report))

  /** Returns the slot that a query selects; `undefined` for all. */
  function select(query: URLSearchParams): MaybePromise<number | 'own' | undefined> {
    const { view } = cluster
    const text = readMemberText(query)
    if (text !== undefined && text !== 'all') {
      const slot = parseSlot(text, 'the number of a member, or all')
      return thenNow(slot === view?.slot ? undefined : requireMember(view, slot), () =>
        slot === view?.slot ? 'own' : slot,
      )
    }
    return view === undefined || liveMembers(view).every(({ identity }) => identity.slot === view.slot)
      ? 'own'
      : undefined
  }

  async function readOne(view: ClusterView, slot: number, request: DocumentRequest): Promise<object | undefined> {
    if (slot === view.slot) return readOwn(request)
    return readOther(view, slot, request, limits.ofOne)
  }

  async function readAll(view: ClusterView, request: DocumentRequest): Promise<object | undefined> {
    if (request.path === 'requests/{id}') {
      const found = splitRequestId(request.variable)
      if (found === undefined) return undefined
      await requireMember(view, found.slot)
      return readOne(view, found.slot, { ...request, variable: found.id })
    }
    const query = new URLSearchParams(request.query)
    // The numbers of the records are those of each member.
    query.delete('after')
    const silent: string[] = []
    const read = async (record: MemberRecord): Promise<readonly OfMember<object>[]> => {
      const { slot, pid } = record.identity
      const isOwn = slot === view.slot
      try {
        if (isStale(record) && !isOwn) throw notResponding(slot, limits.ofAll)
        const asked = { ...request, query }
        const document = isOwn ? await readOwn(asked) : await readOther(view, slot, asked, limits.ofAll)
        return document === undefined ? [] : [{ member: String(slot), pid, document }]
      } catch (error) {
        if (isOwn) throw error
        if (isHttpError(error) && error.status === 504) silent.push(String(slot))
        else if (!isHttpError(error)) report(`console: failed to read member ${slot}`, error)
        return []
      }
    }
    const parts = await Promise.all(liveMembers(view).slice(0, maxMerged).map(read))
    const [first, ...others] = parts.flat()
    return first && mergeDocuments(request.path, query, [first, ...others], silent)
  }

  /** The meters of other members are read from what these write. */
  async function readMeters(view: ClusterView, slot: number | undefined, request: DocumentRequest) {
    await view.source.refresh?.()
    const source = slot === undefined ? view.source : view.member(slot)
    if (source === undefined) throw memberNotFound(slot ?? view.slot, view)
    return readOwn(request, source)
  }

  return {
    members: () =>
      cluster.view === undefined ? [] : liveMembers(cluster.view).map(({ identity }) => `${identity.slot}`),
    isOwn: (query) => thenNow(select(query), (selected) => selected === 'own'),
    read: (request) =>
      thenNow(select(request.query), (selected) => {
        const { view } = cluster
        if (selected === 'own' || view === undefined) return readOwn(request)
        if (request.path.startsWith('meters')) return readMeters(view, selected, request)
        return selected === undefined ? readAll(view, request) : readOne(view, selected, request)
      }),
  }
}

function liveMembers(view: ClusterView): readonly MemberRecord[] {
  return view.members().filter(({ isAlive }) => isAlive)
}

async function readOther(
  view: ClusterView,
  slot: number,
  { path, variable, query }: DocumentRequest,
  milliseconds: number,
): Promise<object | undefined> {
  const own = new URLSearchParams(query)
  own.delete('member')
  const response = await view.request(slot, JSON.stringify({ path, variable, query: own.toString() }), milliseconds)
  if (response === 'gone') throw memberNotFound(slot, view)
  if (response === 'timeout') throw notResponding(slot, milliseconds)
  if (response.text === '') throw new HttpError(404, `Member ${slot} does not expose the endpoint console.`)
  const { status, detail, document } = fieldsOf(JSON.parse(response.text))
  if (status === 404 && detail === undefined) return undefined
  if (typeof status === 'number' && status >= 400) throw new HttpError(status, String(detail))
  return typeof document === 'object' && document !== null ? document : undefined
}

/** Returns the response to the request of another member. Never rejects. */
async function respond(text: string, readOwn: ReadOwnDocument, report: Report): Promise<string> {
  try {
    const { path, variable, query } = fieldsOf(JSON.parse(text))
    const request = { path: String(path), variable: String(variable), query: new URLSearchParams(String(query)) }
    const document = await readOwn(request)
    return JSON.stringify(document === undefined ? { status: 404 } : { status: 200, document })
  } catch (error) {
    if (isHttpError(error)) return JSON.stringify({ status: error.status, detail: error.message })
    report('console: failed to respond to the request of a member', error)
    return JSON.stringify({ status: 500, detail: 'The member failed to respond.' })
  }
}

function notResponding(slot: number, milliseconds: number): HttpError {
  const seconds = milliseconds / 1_000
  return new HttpError(504, `Member ${slot} did not respond within ${seconds} s; its event loop may be blocked.`)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.assign(Object.create(null), value) : {}
}
