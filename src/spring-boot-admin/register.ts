import { kindOf } from '../base/callback.ts'
import { type Duration, durationMilliseconds } from '../base/duration.ts'
import { invalidOption } from '../base/errors.ts'
import { redactPath } from '../base/redact-path.ts'
import { contain, type Report, reportToConsole } from '../base/report.ts'
import { setUnrefTimeout } from '../base/timers.ts'
import { type AdminServer, below, createAdminServer, type Outcome } from './admin-server.ts'
import type { RegisteredApplication, RegistrationOptions } from './registration-options.ts'
import { checkRegistration } from './registration-schema.ts'

/** The registration of an application; also a hook of `shutdownGracefully`, which waits for the deregistration. */
export interface Registration {
  readonly name: 'spring-boot-admin'
  /** Same as `close`. */
  readonly run: () => Promise<void>
  /** Timeout as a hook: slightly longer than that of a request. */
  readonly timeout: Duration
  /**
   * Ends the heartbeat and removes the instance from the servers. Resolves when they have responded, or their timeouts
   * have passed. Never rejects.
   */
  close(): Promise<void>
}

/** A server, and the state that was reported last. */
interface KnownServer extends AdminServer {
  readonly shownUrl: string
  state: Outcome['kind'] | undefined
  id: string | undefined
}

/**
 * Registers an application at Spring Boot Admin, and again each period, which is its heartbeat. Removes it when the
 * drain of a shutdown begins, when the management is closed, and by `close()`. A server that does not respond, or
 * rejects the registration, is tried again each period; that is reported once. Keeps the process alive only while it
 * connects.
 *
 * @throws TypeError naming each invalid option.
 */
export function registerAtSpringBootAdmin(
  application: RegisteredApplication,
  options: RegistrationOptions,
): Registration {
  checkRegistration(options)
  const { url, headers = {}, registerOnce = true, period = '10s', timeout = '5s' } = options
  const body = registrationBody(application, options)
  const report = contain(options.report ?? application.report ?? reportToConsole)
  const periodMilliseconds = durationMilliseconds(period, 'registerAtSpringBootAdmin: period')
  const timeoutMilliseconds = durationMilliseconds(timeout, 'registerAtSpringBootAdmin: timeout')
  const servers = [...new Set([url].flat())].map(
    (each): KnownServer => ({
      ...createAdminServer(each, { headers, timeoutMilliseconds }),
      shownUrl: shownUrl(each),
      state: undefined,
      id: undefined,
    }),
  )
  // Servers that share their instances are tried one after another; others have a heartbeat each.
  const groups = registerOnce ? [servers] : servers.map((server) => [server])
  const registerAt = async (server: KnownServer): Promise<boolean> => {
    const outcome = await server.register(body)
    if (outcome.kind === 'registered') server.id = outcome.id
    reportChange(server, outcome, period, report)
    return outcome.kind === 'registered'
  }
  let heartbeats: readonly Heartbeat[] = []
  let closing: Promise<void> | undefined

  async function end(): Promise<void> {
    // A registration that arrives after its deregistration would be kept by the server.
    await Promise.all(heartbeats.map((heartbeat) => heartbeat.stop()))
    await Promise.all(servers.map((server) => deregisterAt(server, report)))
  }

  const stop = (): Promise<void> => {
    draining?.removeEventListener('abort', stopQuietly)
    closing ??= end()
    return closing
  }
  const stopQuietly = () => void stop()
  const { draining } = application
  if (draining?.aborted) closing = Promise.resolve()
  else {
    draining?.addEventListener('abort', stopQuietly)
    heartbeats = groups.map((group) => startHeartbeat(group, registerAt, periodMilliseconds))
  }

  const close = async (): Promise<void> => {
    // The requests do not keep the process alive, but who waits for their end does.
    const waiting = setTimeout(() => {}, 2 * timeoutMilliseconds)
    await stop()
    clearTimeout(waiting)
  }
  return { name: 'spring-boot-admin', run: close, timeout: `${2 * timeoutMilliseconds + 500}ms`, close }
}

/** Registers at the first server of a group that accepts it, and again each period. */
interface Heartbeat {
  /** Resolves when the current registration has ended. */
  stop(): Promise<void>
}

function startHeartbeat(
  group: readonly KnownServer[],
  registerAt: (server: KnownServer) => Promise<boolean>,
  periodMilliseconds: number,
): Heartbeat {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function beat(): Promise<void> {
    for (const server of group) if (isStopped || (await registerAt(server))) break
    if (!isStopped) timer = setUnrefTimeout(start, periodMilliseconds)
  }

  function start(): void {
    beating = beat()
  }

  let beating = beat()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await beating
    },
  }
}

async function deregisterAt(server: KnownServer, report: Report): Promise<void> {
  if (server.id === undefined) return
  const outcome = await server.deregister(server.id)
  if (outcome.kind === 'deregistered') report(`spring-boot-admin: deregistered at ${server.shownUrl}`)
  else report(`spring-boot-admin: failed to deregister at ${server.shownUrl}: ${reasonOf(outcome)}`)
}

/** Reports the first outcome, and each that differs from the one before. */
function reportChange(server: KnownServer, outcome: Outcome, period: Duration, report: Report): void {
  const isChanged = server.state !== outcome.kind
  server.state = outcome.kind
  if (!isChanged) return
  if (outcome.kind === 'registered') report(`spring-boot-admin: registered at ${server.shownUrl} as ${outcome.id}`)
  else {
    const retried = `retrying each ${period}`
    report(`spring-boot-admin: failed to register at ${server.shownUrl}: ${reasonOf(outcome)}; ${retried}`)
  }
}

function reasonOf(outcome: Outcome): string {
  return 'reason' in outcome ? outcome.reason : outcome.kind
}

function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + redactPath(pathname.replace(/\/+$/, ''))
}

/**
 * Returns the JSON by which an instance registers. It is the same for each heartbeat: a server stores an event whenever
 * it changes.
 *
 * @throws TypeError if neither the options nor the application has a name.
 */
function registrationBody(
  { application, paths: { health = 'health' } = {} }: RegisteredApplication,
  options: RegistrationOptions,
): string {
  const { managementUrl, healthUrl = endpointUrl(managementUrl, health), serviceUrl, credential } = options
  const { name = application?.name, tags = {}, metadata = {} } = options
  if (name === undefined) {
    throw invalidOption(
      'registerAtSpringBootAdmin: name: expected a string, because createManagement has no option "application", ' +
        `received ${kindOf(name)}`,
    )
  }
  return JSON.stringify({
    name,
    managementUrl,
    healthUrl,
    ...(serviceUrl !== undefined && { serviceUrl }),
    metadata: {
      startup: new Date(performance.timeOrigin).toISOString(),
      ...Object.fromEntries(Object.entries(tags).map(([tag, value]) => [`tags.${tag}`, value])),
      ...metadata,
      ...(credential && { 'user.name': credential.username, 'user.password': credential.password }),
    },
  })
}

/** A path with a leading slash begins at the root of the server. */
function endpointUrl(managementUrl: string, path: string): string {
  return path.startsWith('/') ? new URL(path, managementUrl).href : below(managementUrl, path)
}
