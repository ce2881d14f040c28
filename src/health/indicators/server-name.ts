import type { Details } from './check.ts'

/** What a server is: its product and version. */
export interface ServerName<A> {
  /** The name under its detail's name; nothing while it is unknown. */
  details(): Details
  /** Asks for the name, unless it is known. Never rejects: one that answers is up, whether or not it says what it is. */
  learn(asker: A): Promise<void>
  /** Has it asked again, for a server that was away may come back as another; until then the old name stands. */
  doubt(): void
}

/** Remembers what a server is, so that it is asked once. */
export function createServerName<A>(detail: string, ask: (asker: A) => PromiseLike<string | undefined>): ServerName<A> {
  let name: string | undefined
  let known = false
  return {
    details: () => (name === undefined ? {} : { [detail]: name }),
    learn: async (asker) => {
      if (known) {
        return
      }
      try {
        name = await ask(asker)
        known = true
      } catch {}
    },
    doubt: () => {
      known = false
    },
  }
}
