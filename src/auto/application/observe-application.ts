import type { IncomingMessage } from 'node:http'
import type { Report } from '../../base/report.ts'
import { setUnrefTimeout } from '../../base/timers.ts'
import type { Management } from '../../entries/index.ts'
import { targetOf } from '../../instrumentation/http-server/target-of.ts'
import { instrument } from '../../instrumentation/instrument.ts'
import { createSafely, type Safely } from '../../instrumentation/safely.ts'
import type { Traps } from '../traps.ts'
import { createConfiguredRoutes } from './frameworks/configured-routes.ts'
import { express } from './frameworks/express.ts'
import { fastify } from './frameworks/fastify.ts'
import type { Framework, FrameworkParts } from './frameworks/framework.ts'
import { hapi } from './frameworks/hapi.ts'
import { hono } from './frameworks/hono.ts'
import { koa } from './frameworks/koa.ts'
import { next } from './frameworks/next.ts'
import { findLibraries, namedLibraries } from './libraries.ts'
import { createLoadedModules, type LoadedModules } from './loaded-modules.ts'
import { loggers } from './log-ids.ts'
import { observeServers, type ServerListener } from './observe-servers.ts'

/** What is observed of an application. */
export interface ObservedApplication {
  /** The frameworks and libraries that are observed, for the line at start. */
  readonly found: readonly string[]
  /** The libraries that the application uses, but that cannot be observed, for the line at start. */
  readonly unseen: readonly string[]
}

/** The settings of `upkeep/auto` on which depends what is observed. */
interface ApplicationSettings {
  /** Whether the records of pino, winston and the console contain the ids of the current trace. */
  readonly logTraceIds: boolean
  /** Templates of routes, such as `/orders/:id`, for requests whose framework is not known. */
  readonly routes?: readonly string[] | undefined
}

/** What `observeApplication` needs. */
interface ApplicationParts {
  readonly management: Management
  readonly traps: Traps
  readonly settings: ApplicationSettings
  readonly report: Report
}

/** When modules are searched again: applications load some of them late. */
const searchesMilliseconds = [1_000, 10_000, 60_000]

/**
 * Observes an application from outside: its requests with the routes of its frameworks, its outgoing requests, its
 * queries, and on request its logs. Called before its first server is bound, or before the application is loaded; what
 * it creates and loads later is observed, too, until the management is closed.
 */
export function observeApplication({ management, traps, settings, report }: ApplicationParts): ObservedApplication {
  let isOver = false
  const contained = createSafely('upkeep/auto', report)
  const safely: Safely = (work, otherwise) =>
    contained((...args) => (isOver ? otherwise(...args) : work(...args)), otherwise)
  const modules = createLoadedModules()
  const { find, listener } = observeFrameworks({ management, traps, modules }, settings.routes)
  const observeModules = createModuleObserver(modules, settings, safely)
  const search = safely(
    () => {
      observeModules()
      return find()
    },
    () => [],
  )

  const found = search()
  traps.onFound = search
  const observeServer = safely((server: Parameters<ServerListener['onServer']>[0]) => {
    search()
    listener.onServer(server)
  }, nothing)
  const unsubscribe = observeServers(management.observation, { ...listener, onServer: observeServer }, safely)
  // Closing the management ends it.
  management.observation.attach(() => () => {
    isOver = true
    unsubscribe()
    traps.remove()
  })
  instrument(management)
  for (const milliseconds of searchesMilliseconds) setUnrefTimeout(search, milliseconds)
  setUnrefTimeout(() => traps.remove(), searchesMilliseconds.at(-1) ?? 0)

  const named = safely(
    () => findLibraries(namedLibraries(settings), modules),
    () => ({ found: [], unseen: [] }),
  )()
  return { found: [...new Set([...found, ...named.found])], unseen: named.unseen }
}

/** Returns the listener of all frameworks, and a function that looks for applications and returns what it has found. */
function observeFrameworks(parts: FrameworkParts, routes: readonly string[] = []) {
  const observed = frameworks.map((framework) => ({ name: framework.name, ...framework.observe(parts) }))
  const beginners = observed.flatMap(({ onRequest }) => onRequest ?? [])
  const readers = observed.map(({ routeOf }) => routeOf)
  const configured = createConfiguredRoutes(routes)
  const listener: ServerListener = {
    onServer(server) {
      for (const { onServer } of observed) onServer?.(server)
    },
    onRequest(request) {
      for (const begin of beginners) begin(request)
    },
    routeOf(request: IncomingMessage) {
      for (const read of readers) {
        const template = read(request)
        if (template !== undefined) return template
      }
      return configured(targetOf(request))
    },
  }
  return { listener, find: () => observed.filter((each) => each.find()).map(({ name }) => name) }
}

/** Returns a function that observes the modules that have been loaded by now. */
function createModuleObserver(modules: LoadedModules, settings: ApplicationSettings, safely: Safely): () => void {
  const libraries = namedLibraries(settings)
  const logs = settings.logTraceIds ? loggers : []
  for (const { begin } of logs) begin?.(safely)
  return () => {
    for (const { observe } of libraries) observe?.(modules)
    for (const { observe } of logs) observe?.(modules, safely)
  }
}

function nothing(): undefined {
  return undefined
}

/** The frameworks whose routes are known. */
const frameworks: readonly Framework[] = [express, fastify, koa, hono, next, hapi]
