import type { Fault } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/** A request for part of a collection. */
export interface PageRequest {
  /** Maximum number of items. */
  readonly size: number
  /** Number of items to skip. */
  readonly startIndex: number
}

/** Limits on page requests. */
export interface PageLimits {
  /** Page size where the client requests none. @default 20 */
  readonly size?: number | undefined
  /** Largest page size. @default 100 */
  readonly maximumSize?: number | undefined
  /** Largest start index. @default 1000000 */
  readonly maximumStartIndex?: number | undefined
}

/** Part of a collection. */
export interface Page<Value> {
  /** The items of the page. One more than requested indicates a next page; it is not sent. */
  readonly items: readonly Value[]
  /** Total number of items, where known. */
  readonly total?: number | undefined
  /** Whether there is a next page. @default derived from `total`, or from the number of items */
  readonly more?: boolean | undefined
  /** When the collection was last changed; a number is in milliseconds since the epoch. */
  readonly lastModified?: Date | number | undefined
}

/**
 * Parses the paging parameters of a query.
 *
 * @throws HttpError 400 with one entry in `errors` per invalid parameter.
 */
export function parsePage(
  query: URLSearchParams,
  { size = 20, maximumSize = 100, maximumStartIndex = 1_000_000 }: PageLimits = {},
): PageRequest {
  const errors: Fault[] = []
  const read = (name: string, least: number, most: number, usual: number) => {
    const texts = query.getAll(name)
    if (texts.length === 0) return usual
    const [text = ''] = texts
    const value = texts.length === 1 && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : Number.NaN
    if (value >= least && value <= most) return value
    errors.push({ path: name, message: `must be one integer from ${least} to ${most}` })
    return usual
  }
  const page = {
    size: read('pageSize', 1, maximumSize, size),
    startIndex: read('pageStartIndex', 0, maximumStartIndex, 0),
  }
  if (errors.length === 0) return page
  throw new HttpError(400, 'Invalid query parameters.', { members: { errors } })
}

/** A page cut to the requested size. */
export interface CutPage<Value> {
  readonly items: readonly Value[]
  readonly total: number | undefined
  readonly hasMore: boolean
}

export function cutPage<Value>({ items, total, more }: Page<Value>, { size, startIndex }: PageRequest): CutPage<Value> {
  const sent = items.slice(0, size)
  const byCount = total === undefined ? items.length >= size : startIndex + sent.length < total
  return { items: sent, total, hasMore: more ?? (items.length > size || byCount) }
}

/** Returns the start indices of adjacent pages. `last` requires a known total and keeps the alignment of this page. */
export function neighboursOf(
  { size, startIndex }: PageRequest,
  { total, hasMore }: Pick<CutPage<unknown>, 'total' | 'hasMore'>,
): Readonly<Record<'first' | 'prev' | 'next' | 'last', number | undefined>> {
  const offset = startIndex % size
  const last =
    total === undefined ? undefined : total <= offset ? 0 : Math.floor((total - 1 - offset) / size) * size + offset
  const before = Math.max(0, startIndex - size)
  return {
    first: 0,
    prev: startIndex === 0 ? undefined : Math.min(before, last ?? before),
    next: hasMore ? startIndex + size : undefined,
    last,
  }
}

/** Returns a `Link` field (RFC 8288) to the adjacent pages; all other query parameters are preserved. */
export function pageLinks(
  address: string,
  query: URLSearchParams,
  page: PageRequest,
  cut: Pick<CutPage<unknown>, 'total' | 'hasMore'>,
): string {
  const links = Object.entries(neighboursOf(page, cut)).flatMap(([relation, start]) => {
    if (start === undefined) return []
    const target = new URLSearchParams(query)
    target.set('pageSize', String(page.size))
    target.set('pageStartIndex', String(start))
    return [`<${address}?${target}>; rel="${relation}"`]
  })
  return links.join(', ')
}
