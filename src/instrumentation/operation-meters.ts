import { onlyFirst } from '../base/callback.ts'
import type { Report } from '../base/report.ts'
import type { Counter } from '../metrics/counter.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Timer } from '../metrics/timer.ts'
import type { Convention } from './conventions/convention.ts'
import type { MeterTemplate } from './conventions/meter-template.ts'
import { TemplateMeters } from './conventions/template-meters.ts'
import type { DatabaseOperation } from './database/database-operation.ts'
import type { MessagingOperation } from './messaging/messaging-operation.ts'
import type { OperationRecorders } from './wrapped-operations.ts'

/** Returns functions that record operations in the meters of a convention. They never throw. */
export function createOperationRecorders(
  { meters, convention: { database, messaging } }: { readonly meters: MeterRegistry; readonly convention: Convention },
  report: Report,
): OperationRecorders {
  const timers = <F>(template: MeterTemplate<F>) =>
    new TemplateMeters<F, Timer>(template, (tags) => meters.timer(template.name, tags, template.options))
  const counters = <F>({ name, baseUnit, options: { description }, ...rest }: MeterTemplate<F>) =>
    new TemplateMeters<F, Counter>({ name, options: { description }, ...rest }, (tags) =>
      meters.counter(name, tags, { description, baseUnit }),
    )
  const calls = timers(database.operations)
  const byType = {
    send: { durations: timers(messaging.send), messages: counters(messaging.sent) },
    process: { durations: timers(messaging.process), messages: counters(messaging.consumed) },
  }
  const failed = onlyFirst((error) => report('failed to record an operation of a client', error))
  const safely =
    <F>(record: (operation: F) => void) =>
    (operation: F) => {
      try {
        record(operation)
      } catch (error) {
        failed(error)
      }
    }
  return {
    database: safely<DatabaseOperation>((operation) => calls.get(operation).record(operation.seconds)),
    messaging: safely<MessagingOperation>((operation) => {
      const { durations, messages } = byType[operation.type]
      durations.get(operation).record(operation.seconds)
      messages.get(operation).increment(operation.messages)
    }),
  }
}
