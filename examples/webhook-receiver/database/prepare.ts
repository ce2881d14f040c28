import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'upkeep/logging'
import { describeFailure } from '../failure.ts'
import { countHooks, createFirstHook, createHook, type NewHook } from '../hooks/hooks.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

/** The state of the database after a start. */
export interface Prepared {
  /** The hook that this start created. Its key can be shown only now. */
  readonly created: NewHook | undefined
  readonly hooks: number
}

export interface PrepareOptions {
  /** Whether to create a hook even if there are some. */
  readonly newHook: boolean
  readonly log: Logger
  /** Ends the attempts. */
  readonly signal: AbortSignal
}

const firstPause = 250
const maxPause = 5_000

/**
 * Brings the tables up to date and creates the first hook. Retries until it succeeds, and logs each failure. Resolves
 * with `undefined` if `signal` aborts first.
 */
export async function prepareDatabase(database: Database, options: PrepareOptions): Promise<Prepared | undefined> {
  const { signal } = options
  const log = options.log.child({ logger: 'webhook-receiver.database' })
  const target = `${database.description} (${database.variable})`
  log.info(`connecting to ${target}`)
  for (let pause = firstPause; !signal.aborted; pause = Math.min(2 * pause, maxPause)) {
    try {
      const prepared = await prepare(database, options.newHook)
      log.info(`connected to ${target}; its tables are up to date`)
      return prepared
    } catch (error) {
      if (signal.aborted) break
      log.warn(`cannot use ${target} yet, retrying in ${pause} ms: ${describeFailure(error)}`)
      await wait(pause, undefined, { signal }).catch(() => {})
    }
  }
  return undefined
}

async function prepare(database: Database, newHook: boolean): Promise<Prepared> {
  await migrate(database)
  const created = (await createFirstHook(database)) ?? (newHook ? await createHook(database.query) : undefined)
  return { created, hooks: await countHooks(database.query) }
}
