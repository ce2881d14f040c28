import type { Report } from '../base/report.ts'
import { registeredApi, registeredTracerProvider } from '../tracing/open-telemetry.ts'

/** The parts of OpenTelemetry's API for which an implementation is registered. */
type ApiPart = 'metrics' | 'trace' | 'context' | 'propagation'

/**
 * Registers an implementation unless one is registered; `register` returns whether it was. Returns a function that
 * unregisters it.
 */
export function registerPart(part: ApiPart, api: { disable(): void }, register: () => boolean): () => void {
  // The API would log an error.
  if (implementationOf(part) !== undefined || !register()) return () => {}
  const registered = implementationOf(part)
  return () => {
    if (implementationOf(part) === registered) api.disable()
  }
}

/** Reports why an implementation could not be registered, and what to change. */
export function reportOccupied(caller: string, part: 'metrics' | 'trace', report: Report): void {
  const implementation = implementationOf(part)
  if (implementation === undefined) {
    report(
      `${caller}: nothing is registered, because another copy of @opentelemetry/api ` +
        `(version ${registeredApi()?.version}) was used first; install one copy, or pass that one as "api"`,
    )
    return
  }
  const what = part === 'metrics' ? 'meter provider' : 'tracer provider'
  report(
    `${caller}: nothing is registered, because a ${what} (${implementation.constructor.name}) is registered already; ` +
      `call ${caller} first, or do not register the other one`,
  )
}

function implementationOf(part: ApiPart): object | undefined {
  return part === 'trace' ? registeredTracerProvider() : registeredApi()?.[part]
}
