/** The screens, in the order of the navigation. */
export const screens = [
  { id: 'overview', title: 'Overview' },
  { id: 'requests', title: 'Requests' },
  { id: 'health', title: 'Health' },
  { id: 'metrics', title: 'Metrics' },
  { id: 'logs', title: 'Logs' },
  { id: 'diagnostics', title: 'Diagnostics' },
  { id: 'dependencies', title: 'Dependencies' },
  { id: 'environment', title: 'Environment' },
] as const

export type ScreenId = (typeof screens)[number]['id']

/** What the fragment of the address selects, such as `#/requests?route=%2Forders`. */
export interface HashRoute {
  readonly screen: ScreenId
  readonly params: ReadonlyMap<string, readonly string[]>
}

/** Parameters of a link; those that are `undefined` or empty are omitted. */
export type LinkParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Reads a fragment. An unknown screen is the overview. */
export function parseHash(hash: string): HashRoute {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#?\/?/, ''), '?')
  const screen = screens.find(({ id }) => id === path)?.id ?? 'overview'
  const params = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(query)) {
    const values = params.get(name)
    if (values === undefined) params.set(name, [value])
    else values.push(value)
  }
  return { screen, params }
}

/** Returns the fragment of a screen. */
export function formatHash(screen: ScreenId, params: LinkParams = {}): string {
  const query = formatQuery(params)
  return query === '' ? `#/${screen}` : `#/${screen}?${query}`
}

/** Returns parameters as the query of an address. */
export function formatQuery(params: LinkParams): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    const values = typeof value === 'string' ? [value] : (value ?? [])
    for (const each of values) if (each !== '') query.append(name, each)
  }
  return query.toString()
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
