import { createSafeCall, kindOf } from '../../base/callback.ts'
import { invalidReturn } from '../../base/errors.ts'
import type { Report } from '../../base/report.ts'
import type { AppRoute } from '../../rest/paths/app-route.ts'

/** The place where adapters, and applications, register how routes are read. */
export interface Mappings {
  /**
   * Registers the routes of an application or a router of a framework; again for the same `app`, only `read` is
   * replaced. `read` is called when `mappings` is requested; without that endpoint nothing is registered.
   */
  register(app: object, framework: string, read: () => readonly AppRoute[]): void
}

/** The mappings, for the endpoint. */
export interface ReadableMappings extends Mappings {
  /** Returns the routes by framework; a second application of one has a name such as `express-2`. */
  read(): ReadonlyMap<string, readonly AppRoute[]>
  clear(): void
}

interface Registration {
  readonly framework: string
  readonly read: () => readonly AppRoute[]
}

/** More routes are those of a generator, and are not shown. */
const maxRoutes = 10_000

/** If `isShown` is false, nothing is stored. Reading that fails is reported, once. */
export function createMappings(isShown: boolean, report: Report): ReadableMappings {
  const registrations = new Map<object, Registration>()
  const call = createSafeCall<[], readonly AppRoute[]>(
    (routes) => {
      if (!Array.isArray(routes)) throw invalidReturn(`expected an array of routes, received ${kindOf(routes)}`)
      return routes.slice(0, maxRoutes)
    },
    (error) => report('failed to read the routes of the application', error),
  )
  return {
    register(app, framework, read) {
      if (isShown) registrations.set(app, { framework, read })
    },
    read() {
      const byName = new Map<string, readonly AppRoute[]>()
      for (const { framework, read } of registrations.values()) {
        byName.set(freeName(framework, byName), call(read) ?? [])
      }
      return byName
    },
    clear: () => registrations.clear(),
  }
}

function freeName(framework: string, taken: ReadonlyMap<string, unknown>): string {
  let name = framework
  for (let count = 2; taken.has(name); count++) name = `${framework}-${count}`
  return name
}
