import type { Server } from 'node:net'
import { systemClock } from '../base/clock.ts'
import { parseDuration } from '../base/duration.ts'
import type { Report } from '../base/report.ts'
import { wait } from '../base/timers.ts'
import { stopWorkers } from '../cluster/workers/stop-workers.ts'
import type { Management } from '../entries/index.ts'
import { handlePrimaryRequests, leavePrimary, outlivePrimary } from '../lifecycle/shutdown/cluster-worker.ts'
import { createDrain, type Drain } from '../lifecycle/shutdown/drain.ts'
import { type PlannedStep, runStep } from '../lifecycle/shutdown/shutdown-plan.ts'
import { isDevelopment } from '../lifecycle/shutdown/signals.ts'
import type { HeldSignals } from './held-signals.ts'
import type { Settings } from './settings/auto-options.ts'

/** What a shutdown ends. */
interface Parts {
  readonly management: Management
  /** Run at the end, such as to send telemetry. */
  readonly flush: readonly PlannedStep[]
  readonly report: Report
}

/** How long a connection may be idle before it is closed. Its client may be sending a request. */
const idleMilliseconds = 1_000

/**
 * Finishes the requests of the application before it receives SIGTERM or SIGINT. Without handlers of its own, its
 * servers are closed, and the signal ends it; otherwise its handlers close them. Returns a function that adds a server.
 */
export function shutDownGracefully(
  signals: HeldSignals,
  { delay, timeout }: Settings,
  { management, flush, report }: Parts,
): (server: Server) => void {
  const { availability } = management
  const drains: Drain[] = []
  const servers: Server[] = []
  let delayMilliseconds = parseDuration(delay) ?? 0
  const timeoutMilliseconds = parseDuration(timeout) ?? 0

  const signalThis = () => process.kill(process.pid, 'SIGTERM')
  const begin = (_reason: string, start: 'delayed' | 'without delay'): void => {
    if (start === 'without delay') delayMilliseconds = 0
    signalThis()
  }
  handlePrimaryRequests({ servers, availability, begin })
  management.onShutdownRequest(signalThis)

  signals.arm(async (signal, hasHandlers) => {
    const inDevelopment = isDevelopment(signal)
    const served = inDevelopment ? 0 : delayMilliseconds
    const idle = inDevelopment ? 0 : Math.min(idleMilliseconds, timeoutMilliseconds / 2)
    availability.beginShutdown(signal)
    outlivePrimary()
    report(`shutting down (${signal}): serves for ${served}ms`)
    await wait(served)
    management.endStreams()
    const requests: PlannedStep = {
      name: 'requests',
      run: () => Promise.all(drains.map((each) => (hasHandlers ? each.finishRequests(idle) : each.begin(idle)))),
      timeoutMilliseconds,
    }
    for (const step of [requests, ...flush]) await runStep(step, systemClock, report)
    if (!hasHandlers) await leavePrimary()
  })

  return (server) => {
    if (servers.includes(server)) return
    servers.push(server)
    drains.push(createDrain(server, systemClock))
  }
}

/** Shuts the workers of this primary down before it receives SIGTERM or SIGINT, since they end with it. */
export function stopWorkersGracefully(
  signals: HeldSignals,
  { delay, timeout }: Settings,
  { management, flush, report }: Parts,
): void {
  const workersMilliseconds = (parseDuration(delay) ?? 0) + (parseDuration(timeout) ?? 0) + 5_000
  management.onShutdownRequest(() => process.kill(process.pid, 'SIGTERM'))
  signals.arm(async (signal) => {
    management.availability.beginShutdown(signal)
    const workers: PlannedStep = {
      name: 'workers',
      run: () => stopWorkers({ stopTimeout: `${workersMilliseconds}ms` }),
      timeoutMilliseconds: workersMilliseconds + 1_000,
    }
    for (const step of [workers, ...flush]) await runStep(step, systemClock, report)
  })
}
