import type { Clock } from '../../base/clock.ts'
import { durationMilliseconds } from '../../base/duration.ts'
import type { Report } from '../../base/report.ts'
import type { EndedRequest } from '../../instrumentation/http-server/ended-request.ts'
import type { Observation } from '../../instrumentation/observation.ts'
import { onErrorRecord } from '../../logging/events/level-counters.ts'
import type { RecordInput } from '../diagnostics/diagnostic-operation.ts'
import type { Diagnostics } from '../diagnostics/diagnostics.ts'
import { announceCapture, type CaptureRule, type Finding } from './capture.ts'
import { createErrorBurstRule } from './error-burst.ts'
import type { RecorderOptions } from './recorder-options.ts'
import { watchUncaughtExceptions } from './uncaught-exception.ts'

/** What the rules of the main thread observe, and where they send what they find. */
interface ApplicationRulesContext {
  readonly observation: Pick<Observation, 'onRequestEnd'>
  readonly diagnostics: Pick<Diagnostics, 'run' | 'isWatched'>
  readonly clock: Clock
  readonly report: Report
}

const never = new AbortController().signal

/** Findings of a rule within so many milliseconds are one: however many requests fail, the thread receives one. */
const minimumGap = 1_000

/**
 * Starts the rules that observe the application in the main thread: slow requests, bursts of errors, uncaught
 * exceptions. Findings are captured while a watchdog runs. Returns a function that ends the rules.
 */
export function startApplicationRules(
  options: RecorderOptions,
  { observation, diagnostics, clock, report }: ApplicationRulesContext,
): () => void {
  const { slowRequest = '10s', errorBurst = {}, uncaughtException = true } = options
  const sentAt = new Map<CaptureRule, number>()
  const wallTime = () => clock.wallTime()

  const send = (input: RecordInput): boolean => {
    if (!diagnostics.isWatched) return false
    diagnostics.run('record', input, never).catch((error) => report('recorder: a finding was not captured', error))
    return true
  }
  const sendOne = (rule: CaptureRule, describe: () => RecordInput): void => {
    const now = clock.monotonicTime()
    if (now - (sentAt.get(rule) ?? Number.NEGATIVE_INFINITY) < minimumGap) return
    sentAt.set(rule, now)
    send(describe())
  }

  const slow =
    slowRequest === false ? Number.POSITIVE_INFINITY : durationMilliseconds(slowRequest, 'recorder.slowRequest') / 1_000
  const burst =
    errorBurst === false
      ? undefined
      : createErrorBurstRule(errorBurst, {
          now: () => clock.monotonicTime(),
          wallTime,
          found: (describe) =>
            sendOne('error-burst', () => {
              const { finding, document } = describe()
              return { finding, evidence: { kind: 'report', document } }
            }),
        })
  /** One subscriber for both rules, which compares two numbers of a request that is fast and succeeds. */
  const check = (request: EndedRequest): void => {
    if (request.status >= 500) burst?.requestFailed(request)
    if (request.seconds < slow) return
    const finding = findSlowRequest(request, wallTime)
    if (finding !== undefined) sendOne('slow-request', () => ({ finding, evidence: { kind: 'profile' } }))
  }

  const ends: (() => void)[] = []
  if (slowRequest !== false || burst !== undefined) ends.push(observation.onRequestEnd(check))
  if (burst !== undefined) ends.push(onErrorRecord(burst.errorLogged))
  if (uncaughtException) {
    ends.push(
      watchUncaughtExceptions({ send, stored: (capture) => announceCapture(capture, report, options.onCapture) }),
    )
  }
  return () => {
    for (const end of ends) end()
  }
}

/** Returns the finding that a request took too long; `undefined` for a stream of events. */
function findSlowRequest(request: EndedRequest, wallTime: () => number): Finding | undefined {
  if (isEventStream(request)) return undefined
  const { template, status, isAborted, trace } = request
  const method = request.method.slice(0, 32)
  const milliseconds = Math.round(request.seconds * 1_000)
  return {
    rule: 'slow-request',
    time: wallTime() - milliseconds,
    reason: `${method} ${template ?? '(without a route)'} took ${milliseconds}ms`,
    details: {
      method,
      template,
      milliseconds,
      status: isAborted ? request.sentStatus : status,
      isAborted,
      traceId: trace?.traceId,
    },
  }
}

/** Events are sent for as long as the client listens. A field that is only passed to `writeHead` is not known. */
function isEventStream(request: EndedRequest): boolean {
  const fields = [request.responseHeader('content-type'), request.requestHeader('accept')]
  return fields.some((field) => field?.startsWith('text/event-stream'))
}
