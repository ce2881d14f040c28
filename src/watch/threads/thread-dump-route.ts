import { type Clock, systemClock } from '../../base/clock.ts'
import { actuatorMediaTypes, actuatorVersion2 } from '../../http/actuator-media-types.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { offerJson, type Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { RunOperation } from '../diagnostics/diagnostic-operation.ts'
import type { ThreadDump } from './thread-dump.ts'
import { threadDumpJson } from './thread-dump-json.ts'
import { threadDumpText } from './thread-dump-text.ts'

/**
 * Returns the route of `threaddump` for the port of the watchdog, which knows the stacks only. It responds with 409
 * while a debugger may be attached: pausing the main thread would resume what a developer has stopped.
 */
export function threadDumpRoute(run: RunOperation, isDebugged: () => boolean): Route {
  const get = async ({ signal, extendIdleTimeout }: Call): Promise<Representation> => {
    if (isDebugged()) throw new HttpError(409, 'The port of the inspector is open; close it to read stacks here.')
    extendIdleTimeout('1m')
    const { threads } = await run('threaddump', {}, signal)
    return threadDumpRepresentation({ threads, activeResources: undefined }, systemClock)
  }
  return { path: 'threaddump', resource: { access: 'authorized', refusesCrossSiteReads: true, get } }
}

/** Returns a thread dump as JSON in the form of Spring Boot Actuator, or as text. */
export function threadDumpRepresentation(dump: ThreadDump, clock: Clock): Representation {
  const [first, ...others] = offerJson(threadDumpJson(dump), [...actuatorMediaTypes, actuatorVersion2])
  const text = {
    mediaType: 'text/plain;charset=UTF-8',
    render: () => threadDumpText(dump, clock.wallTime()),
  }
  return { offers: [first, ...others, text], caching: 'no-store' }
}
