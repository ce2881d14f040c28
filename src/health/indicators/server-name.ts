import type { Details } from './check.ts'

/** The product and version of a server. */
interface ServerName<C> {
  /** Returns the name as a detail, or nothing while it is unknown. */
  details(): Details
  /** Requests the name over a connection, unless it is known. Never rejects: a server without a name is not `DOWN`. */
  load(connection: C): Promise<void>
  /**
   * Makes the next `load` request the name again, because the server may have been replaced. Keeps the old name until
   * then.
   */
  invalidate(): void
}

/** Caches the product and version of a server, which is requested once. */
export function createServerName<C>(
  detail: string,
  request: (connection: C) => PromiseLike<string | undefined>,
): ServerName<C> {
  let name: string | undefined
  let isValid = false
  return {
    details: () => (name === undefined ? {} : { [detail]: name }),
    load: async (connection) => {
      if (isValid) return
      try {
        name = await request(connection)
        isValid = true
      } catch {
        // It is requested again by the next check.
      }
    },
    invalidate: () => {
      isValid = false
    },
  }
}
