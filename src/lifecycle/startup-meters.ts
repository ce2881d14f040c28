import { basename } from 'node:path'
import type { MeterRegistry } from '../metrics/meter-registry.ts'
import type { Availability } from './availability.ts'

/** When an application has started and when it was ready, for its meters. */
interface StartupTimes {
  /** Registers the meters of the times that are known, and of the others when they are. Returns `stop`. */
  bind(meters: MeterRegistry): () => void
  /** Stops waiting for times. */
  stop(): void
}

interface StartupTime {
  readonly name: string
  readonly description: string
  readonly seconds: number
}

/**
 * Takes the times `application.started.time` and `application.ready.time`, in seconds since the start of the process.
 * An application has started when the event loop runs after the code that created its management, and is ready when it
 * accepts traffic after that for the first time: its start-up tasks have completed. Both meters have the tag
 * `main.application.class`, the file name of the main module, if there is one.
 */
export function takeStartupTimes(availability: Availability): StartupTimes {
  const times: StartupTime[] = []
  let registry: MeterRegistry | undefined
  const take = (name: string, description: string) => {
    const time = { name, description, seconds: process.uptime() }
    times.push(time)
    if (registry !== undefined) register(registry, time)
  }
  const takeReady = () => {
    if (availability.readiness !== 'ACCEPTING_TRAFFIC') return
    stop()
    take('application.ready.time', 'Time until the application was ready to serve requests')
  }
  const stopListening = availability.onChange(() => {
    if (times.length > 0) takeReady()
  })
  const turn = setImmediate(() => {
    take('application.started.time', 'Time until the application had started')
    takeReady()
  })
  turn.unref()
  const stop = () => {
    clearImmediate(turn)
    stopListening()
  }
  const bind = (meters: MeterRegistry) => {
    registry = meters
    for (const time of times) register(meters, time)
    return stop
  }
  return { bind, stop }
}

function register(meters: MeterRegistry, { name, description, seconds }: StartupTime): void {
  const mainModule = process.argv[1]
  const tags = mainModule === undefined ? {} : { 'main.application.class': basename(mainModule) }
  meters.gauge(name, tags, () => seconds, { description, baseUnit: 'seconds' })
}
