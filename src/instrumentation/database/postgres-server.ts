/** The server of a pg Pool or Client. */
export interface PostgresServer {
  readonly address: string | undefined
  readonly port: number | undefined
  readonly namespace: string | undefined
}

/** Reads the members of a Client or the options of a Pool; falls back to the environment, like pg. */
export function serverOf(client: object): PostgresServer {
  const { options = client } = client as { readonly options?: object }
  const given = options as Partial<Record<'host' | 'port' | 'database' | 'connectionString', unknown>>
  const url = typeof given.connectionString === 'string' ? parseUrl(given.connectionString) : undefined
  const { PGHOST, PGPORT, PGDATABASE } = process.env
  return {
    address: text(url?.hostname) ?? text(given.host) ?? PGHOST ?? 'localhost',
    port: Number(url?.port || given.port || PGPORT || 5_432),
    namespace: text(url?.pathname.slice(1)) ?? text(given.database) ?? PGDATABASE,
  }
}

function parseUrl(url: string): URL | undefined {
  return URL.canParse(url) ? new URL(url) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
