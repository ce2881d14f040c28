import { isHttpError, type MeterRegistry } from 'upkeep'
import type { Hook } from './hooks.ts'

/** The outcome of a message: `refused` because of the message, `failed` because of the receiver. */
export type Outcome = 'stored' | 'repeated' | 'refused' | 'failed'

/** The meters of the receiver, by hook. */
export interface HookMeters {
  count(hook: Hook | undefined, outcome: Outcome): void
  /** In bytes, of a message that was stored. */
  size(bytes: number): void
  /** Times how long storing takes. */
  storing<T>(store: () => Promise<T>): Promise<T>
}

export function createHookMeters(meters: MeterRegistry): HookMeters {
  const messages = meters.counters('webhook.messages', ['hook', 'outcome'], {
    description: 'Messages that were posted',
  })
  const sizes = meters.summary(
    'webhook.message.size',
    {},
    {
      description: 'The bodies of messages that were stored',
      baseUnit: 'bytes',
    },
  )
  const store = meters.timer('webhook.store', {}, { description: 'How long it takes to store a message' })
  return {
    count: (hook, outcome) => messages.with(hook?.id ?? 'unknown', outcome).increment(),
    size: (bytes) => sizes.record(bytes),
    storing: (work) => store.time(work),
  }
}

export function outcomeOf(error: unknown): Outcome {
  return isHttpError(error) && error.status < 500 ? 'refused' : 'failed'
}
