import { onlyFirst } from '../../base/callback.ts'
import type { Report } from '../../base/report.ts'
import type { MeterRegistry } from '../../metrics/meter-registry.ts'
import type { Timer } from '../../metrics/timer.ts'
import type { Convention } from '../conventions/convention.ts'
import { TemplateMeters } from '../conventions/template-meters.ts'
import type { ClientRequest } from './client-request.ts'

/** Returns a function that times requests. It never throws. */
export function createClientRequests(
  { meters, convention }: { readonly meters: MeterRegistry; readonly convention: Convention },
  report: Report,
): (request: ClientRequest) => void {
  const template = convention.httpClient.requests
  const { name, options } = template
  const failed = onlyFirst((error) => report(`failed to record ${name}`, error))
  const timers = new TemplateMeters<ClientRequest, Timer>(template, (tags) => meters.timer(name, tags, options))
  return (request) => {
    try {
      timers.get(request).record(request.seconds)
    } catch (error) {
      failed(error)
    }
  }
}
