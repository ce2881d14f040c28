import type { Fault } from '../../http/errors/error-document.ts'
import { HttpError } from '../../http/errors/http-error.ts'

/** A part of a collection that is asked for. */
export interface PageRequest {
  /** How many at most. */
  readonly size: number
  /** How many stand before it. */
  readonly startIndex: number
}

/** How much of a collection can be asked for at once. */
export interface PageLimits {
  /** Where the client does not say. @default 20 */
  readonly size?: number | undefined
  /** @default 100 */
  readonly maximumSize?: number | undefined
  /** @default 1000000 */
  readonly maximumStartIndex?: number | undefined
}

/** A part of a collection. */
export interface Page<Value> {
  /** One more than were asked for says that there are more; it is not sent. */
  readonly items: readonly Value[]
  /** How many there are in all, where that is known. */
  readonly total?: number | undefined
  /** Whether there are more behind these. @default by the total, or by the number of items */
  readonly more?: boolean | undefined
  /** When the collection last changed, in milliseconds since the epoch. */
  readonly lastModified?: Date | number | undefined
}

/** Query parameters that resources understand of themselves, and no filter is called. */
export const pageParameters = ['pageSize', 'pageStartIndex'] as const

/**
 * @throws HttpError 400 naming each parameter that is not what it may be.
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
    errors.push({ path: name, message: `must be one whole number from ${least} to ${most}` })
    return usual
  }
  const page = {
    size: read('pageSize', 1, maximumSize, size),
    startIndex: read('pageStartIndex', 0, maximumStartIndex, 0),
  }
  if (errors.length === 0) return page
  throw new HttpError(400, 'The query parameters are not what they must be.', { members: { errors } })
}

/** A page as it goes out: no more than was asked for. */
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

/** Where the neighbours of a page start. `last` is told where the total is known, on the grid that this page stands on. */
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

/** A `Link` value (RFC 8288) with the neighbours of a page, the query otherwise as it came. */
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
