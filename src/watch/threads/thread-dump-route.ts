import { type Clock, systemClock } from '../../base/clock.ts'
import { actuatorMediaTypes, actuatorVersion2 } from '../../http/actuator-media-types.ts'
import { HttpError } from '../../http/errors/http-error.ts'
import { offerJson, type Representation } from '../../http/representation.ts'
import type { Call } from '../../http/resource.ts'
import type { Route } from '../../http/router.ts'
import type { RunOperation, StackFrame, ThreadActivity, ThreadStack } from '../diagnostics/diagnostic-operation.ts'
import type { ThreadDump } from './thread-dump.ts'

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

/** The states of Java's threads that those of Node can be in: inside native code a thread is runnable, as in Java. */
export const threadStates: Readonly<Record<ThreadActivity, 'RUNNABLE' | 'WAITING'>> = {
  running: 'RUNNABLE',
  native: 'RUNNABLE',
  idle: 'WAITING',
}

/** What Java reports of a thread and Node does not know, with Java's own values for "none" and "not measured". */
const unknown = {
  ...{ blockedCount: -1, blockedTime: -1, waitedCount: -1, waitedTime: -1, lockOwnerId: -1 },
  ...{ lockedMonitors: [], lockedSynchronizers: [] },
}

/** Returns a thread dump in the form of Spring Boot Actuator, with the active resources in addition if they are known. */
export function threadDumpJson({ threads, activeResources }: ThreadDump): object {
  return { threads: threads.map(threadJson), activeResources }
}

function threadJson({ id, name, activity, frames }: ThreadStack): object {
  return {
    ...{ threadId: id, threadName: name, threadState: threadStates[activity], inNative: activity === 'native' },
    ...unknown,
    suspended: false,
    stackTrace: frames.map(frameJson),
  }
}

/** The class of a function is the script that declares it. */
function frameJson({ functionName, url, line, column }: StackFrame): object {
  return {
    ...{ className: url, methodName: functionName === '' ? '<anonymous>' : functionName },
    ...{ fileName: url.slice(url.lastIndexOf('/') + 1), lineNumber: line, columnNumber: column },
    nativeMethod: false,
  }
}

/** Returns a thread dump as text, in the layout of Java's; `now` is in milliseconds since the epoch. */
export function threadDumpText({ threads, activeResources }: ThreadDump, now: number): string {
  const { node, v8 } = process.versions
  const [date, time = ''] = new Date(now).toISOString().split('T')
  return [
    `${date} ${time.slice(0, 8)}`,
    `Full thread dump Node.js ${node} (V8 ${v8}):`,
    ...threads.flatMap(threadLines),
    ...(activeResources === undefined ? [] : resourceLines(activeResources)),
    '',
  ].join('\n')
}

function resourceLines(resources: Readonly<Record<string, number>>): readonly string[] {
  const lines = Object.entries(resources).map(([type, count]) => `\t- ${count} ${type}`)
  return ['', 'Active resources of the main thread:', ...(lines.length === 0 ? ['\t- None'] : lines)]
}

function threadLines({ id, name, activity, frames }: ThreadStack): readonly string[] {
  const detail = { running: '', idle: ' (idle)', native: ' (in native code)' }[activity]
  const state = `   java.lang.Thread.State: ${threadStates[activity]}${detail}`
  return ['', `"${name}" - Thread t@${id}`, state, ...frames.map((frame) => `\tat ${formatFrame(frame)}`)]
}

/** Returns a call as `name (url:line:column)`. */
export function formatFrame({ functionName, url, line, column }: StackFrame): string {
  const place = line < 0 ? url : `${url}:${line}:${column}`
  return functionName === '' ? place : `${functionName} (${place})`
}
