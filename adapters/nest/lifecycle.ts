import { Server } from 'node:net'
import type { Management } from '../../src/entries/index.ts'
import { isDevelopment } from '../../src/lifecycle/shutdown/signals.ts'
import { type GracefulShutdown, type ShutdownOptions, shutdownGracefully } from '../node.ts'
import { adopt, openApplication } from './applications.ts'
import { type HttpAdapterHost, type ModulesContainer, wrappersOf } from './nest.ts'
import { type ShutdownSignals, watchShutdownSignals } from './shutdown-signals.ts'

/** How an application ends. */
export type NestShutdownOptions = Pick<ShutdownOptions, 'delay' | 'timeout'>

interface LifecycleParts {
  readonly management: Management
  readonly host: HttpAdapterHost
  readonly modules: ModulesContainer
  readonly shutdown: NestShutdownOptions
  /** Called when all providers are created. */
  readonly ready: () => void
  /** Called when the application has ended. */
  readonly close: () => void
}

/**
 * Joins the lifecycle of an application: when it is closed, readiness becomes 503, requests are served during the
 * delay, and active ones finish. After that Nest calls the hooks of the application, closes the platform, and exits.
 */
export class UpkeepLifecycle {
  readonly management: Management
  readonly #parts: LifecycleParts
  readonly #closeApplication: () => void
  #signals: ShutdownSignals | undefined
  #shutdown: GracefulShutdown | undefined
  #endRequests: (() => void) | undefined

  constructor(parts: LifecycleParts) {
    this.#parts = parts
    this.management = parts.management
    this.#closeApplication = openApplication(parts.management)
  }

  onModuleInit(): void {
    const { management, modules, ready } = this.#parts
    for (const { instance } of wrappersOf(modules)) adopt(instance, management)
    ready()
  }

  onApplicationBootstrap(): void {
    const { management, host, shutdown } = this.#parts
    const server = host.httpAdapter?.getHttpServer()
    if (!(server instanceof Server)) return
    const { availability, report, endStreams } = management
    // Nest listens to signals, and exits.
    const options = { ...shutdown, signals: [], exit: () => {} }
    this.#shutdown = shutdownGracefully(server, { availability, report, endStreams }, options)
    this.#signals = watchShutdownSignals()
    this.#endRequests = management.onShutdownRequest(() => process.kill(process.pid, 'SIGTERM'))
  }

  async onModuleDestroy(): Promise<void> {
    const signal = this.#signals?.latest
    const start = signal === undefined || isDevelopment(signal) ? 'immediately' : 'delayed'
    await this.#shutdown?.shutdown(signal ?? 'close', start)
  }

  onApplicationShutdown(): void {
    this.#signals?.remove()
    this.#endRequests?.()
    this.#shutdown?.remove()
    this.#closeApplication()
    this.#parts.close()
  }
}
