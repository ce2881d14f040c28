/** What the user has chosen. */
export interface TopView {
  readonly sort: SortKey
  readonly filter: string
  /** Whether keys are added to the filter. */
  readonly isTyping: boolean
  readonly isPaused: boolean
  /** `undefined` for all members. */
  readonly member: string | undefined
  /** Whether routes were asked for: without a console each is a request. */
  readonly withRoutes: boolean
}

export const sortKeys = ['rate', 'errors', 'p50', 'p95', 'p99', 'requests'] as const

export type SortKey = (typeof sortKeys)[number]

const maxFilter = 60

/** Returns what is shown after keys were pressed, in the form in which a terminal sends them; `undefined` to quit. */
export function pressKeys(view: TopView, keys: string, members: readonly string[]): TopView | undefined {
  // A sequence is a key without a meaning here, such as an arrow.
  if (keys.startsWith('\u001b') && keys.length > 1) return view
  let next: TopView | undefined = view
  for (const key of keys) {
    next = next.isTyping ? typeKey(next, key) : pressKey(next, key, members)
    if (next === undefined) return undefined
  }
  return next
}

function pressKey(view: TopView, key: string, members: readonly string[]): TopView | undefined {
  switch (key) {
    case 'q':
    case '\u0003':
      return undefined
    case 's':
      return { ...view, withRoutes: true, sort: following(sortKeys, view.sort) ?? 'rate' }
    case '/':
      return { ...view, withRoutes: true, isTyping: true }
    case 'p':
    case ' ':
      return { ...view, isPaused: !view.isPaused }
    case 'm':
      return { ...view, member: following(members, view.member) }
    case 'r':
      return { ...view, withRoutes: !view.withRoutes }
    default:
      return view
  }
}

function typeKey(view: TopView, key: string): TopView | undefined {
  switch (key) {
    case '\u0003':
      return undefined
    case '\r':
    case '\n':
      return { ...view, isTyping: false }
    case '\u001b':
      return { ...view, isTyping: false, filter: '' }
    case '\u007f':
    case '\b':
      return { ...view, filter: [...view.filter].slice(0, -1).join('') }
    default:
      return key < ' ' || view.filter.length >= maxFilter ? view : { ...view, filter: view.filter + key }
  }
}

/** Returns the value after one in a list: the first one for `undefined`, and `undefined` after the last one. */
function following<T>(all: readonly T[], one: T | undefined): T | undefined {
  return all[one === undefined ? 0 : all.indexOf(one) + 1]
}
