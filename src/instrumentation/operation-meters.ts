import { onlyFirst } from '../base/callback.ts'
import type { Report } from '../base/report.ts'
import type { Counter } from '../metrics/counter.ts'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Timer } from '../metrics/timer.ts'
import type { DatabaseOperation, MessagingOperation, OperationRecorders } from './client-operations.ts'
import { type Convention, type MeterTemplate, TemplateMeters } from './conventions/convention.ts'
import type { ClientRequest } from './http-client/outgoing-request.ts'

/** Returns functions that record operations in the meters of a convention. They never throw. */
export function createOperationRecorders(
  { meters, convention }: { readonly meters: MeterRegistry; readonly convention: Convention },
  report: Report,
): OperationRecorders & { readonly http: (request: ClientRequest) => void } {
  const { httpClient, database, messaging } = convention
  const timers = <F>(template: MeterTemplate<F>) =>
    new TemplateMeters<F, Timer>(template, (tags) => meters.timer(template.name, tags, template.options))
  const counters = <F>({ name, baseUnit, options: { description }, ...rest }: MeterTemplate<F>) =>
    new TemplateMeters<F, Counter>({ name, options: { description }, ...rest }, (tags) =>
      meters.counter(name, tags, { description, baseUnit }),
    )
  const requests = timers(httpClient.requests)
  const calls = timers(database.operations)
  const byType = {
    send: { durations: timers(messaging.send), messages: counters(messaging.sent) },
    process: { durations: timers(messaging.process), messages: counters(messaging.consumed) },
  }
  const requestFailed = onlyFirst((error) => report(`failed to record ${httpClient.requests.name}`, error))
  const failed = onlyFirst((error) => report('failed to record an operation of a client', error))
  return {
    http: contained<ClientRequest>(requestFailed, (request) => requests.get(request).record(request.seconds)),
    database: contained<DatabaseOperation>(failed, (operation) => calls.get(operation).record(operation.seconds)),
    messaging: contained<MessagingOperation>(failed, (operation) => {
      const { durations, messages } = byType[operation.type]
      durations.get(operation).record(operation.seconds)
      messages.get(operation).increment(operation.messages)
    }),
  }
}

function contained<F>(failed: (error: unknown) => void, record: (operation: F) => void): (operation: F) => void {
  return (operation) => {
    try {
      record(operation)
    } catch (error) {
      failed(error)
    }
  }
}
