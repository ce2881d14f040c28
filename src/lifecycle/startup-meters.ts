import { basename } from 'node:path'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Availability } from './availability.ts'

/**
 * Registers `application.started.time` and `application.ready.time`, in seconds since the start of the process. An
 * application has started when the event loop runs after the code that created its management, and is ready when it
 * accepts traffic after that for the first time: its start-up tasks have completed. Both have the tag
 * `main.application.class`, the file name of the main module, if there is one. Returns a function that stops waiting
 * for them.
 */
export function bindStartupMeters(meters: MeterRegistry, availability: Availability): () => void {
  const mainModule = process.argv[1]
  const tags = mainModule === undefined ? {} : { 'main.application.class': basename(mainModule) }
  const register = (name: string, description: string) => {
    const seconds = process.uptime()
    meters.gauge(name, tags, () => seconds, { description, baseUnit: 'seconds' })
  }
  const registerReady = () => {
    if (availability.readiness !== 'ACCEPTING_TRAFFIC') return
    stop()
    register('application.ready.time', 'Time until the application was ready to serve requests')
  }
  const stopListening = availability.onChange(() => {
    if (hasStarted) registerReady()
  })
  let hasStarted = false
  const turn = setImmediate(() => {
    hasStarted = true
    register('application.started.time', 'Time until the application had started')
    registerReady()
  })
  turn.unref()
  const stop = () => {
    clearImmediate(turn)
    stopListening()
  }
  return stop
}
