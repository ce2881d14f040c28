import { setTimeout as wait } from 'node:timers/promises'
import { finding, type Outcome, ok, unchecked } from './outcome.ts'

interface RequestsCheck {
  /** Sends GET for a path of the application. */
  readonly get: (path: string) => Promise<unknown>
  /** Returns how many requests were counted; `undefined` if no meter of requests exists. */
  readonly count: () => Promise<number | undefined>
  /** A path that the application serves. */
  readonly route: string | undefined
  /** The line that has requests observed. */
  readonly remedy: string
}

/** How often, and at which interval, the count is read: requests are counted when their response has been closed. */
const [reads, pauseMilliseconds] = [10, 50]

/** Where the application has code for its management. */
export const observeBeforeRoutes = 'app.use(observe(management)) // before the routes'

/** Sends requests and looks whether they are counted: for an address that does not exist, and for `route`. */
export async function checkRequests({ get, count, route, remedy }: RequestsCheck): Promise<readonly Outcome[]> {
  const withoutMeter = finding('requests', 'the metrics have no http.server.requests', remedy)
  const isCounted = async (path: string): Promise<boolean> => {
    const before = (await count()) ?? 0
    await get(path)
    for (let read = 0; read < reads; read += 1) {
      if (((await count()) ?? 0) > before) return true
      await wait(pauseMilliseconds)
    }
    return false
  }

  const unknown = await isCounted(`/upkeep-doctor/${crypto.randomUUID()}`)
  const hasMeter = (await count()) !== undefined
  if (route === undefined) {
    if (!hasMeter) return [withoutMeter, unchecked('order', 'no request is observed')]
    return [ok('requests')]
  }
  if (await isCounted(route)) return [ok('requests'), ok('order')]
  if (unknown) {
    const problem = `a request for ${route} is not observed, one for an unknown address is`
    return [ok('requests'), finding('order', problem, remedy)]
  }
  if (!hasMeter) return [withoutMeter, unchecked('order', 'no request is observed')]
  return [finding('requests', `a request for ${route} is not in http.server.requests`, remedy)]
}
