import type { ApplicationFacts, Finding, HistoryDocument, OverviewDocument, Vitals } from '../documents.ts'
import { createEventParser } from './event-stream.ts'
import { reconnectDelay, requestedPause, wait } from './retry-delays.ts'
import { addSample, mergeHistory, noSamples, type Samples } from './samples.ts'
import { RequestError, request, requestJson } from './session.ts'

/** The state of the stream of samples. */
type Connection =
  | { readonly state: 'connecting' | 'live' | 'paused' }
  | { readonly state: 'waiting'; readonly reason: string; readonly until: number }

/** What every screen shows, and what the stream changes. */
export interface Live {
  readonly overview: OverviewDocument | undefined
  readonly application: ApplicationFacts | undefined
  readonly findings: readonly Finding[]
  readonly samples: Samples
  readonly connection: Connection
  /** The application before its latest restart, if it restarted while the page was open. */
  readonly restartedFrom: ApplicationFacts | undefined
  /** How many milliseconds the clock of the service is ahead of that of the browser. */
  readonly clockSkew: number
  /** The members of the cluster, where the selected one is gone. */
  readonly remaining: readonly string[] | undefined
}

const initial: Live = {
  overview: undefined,
  application: undefined,
  findings: [],
  samples: noSamples,
  connection: { state: 'connecting' },
  restartedFrom: undefined,
  clockSkew: 0,
  remaining: undefined,
}

/** The service is connected again if it has sent nothing for so long; it sends a sample each second. */
const silenceMilliseconds = 20_000

/** A stream that lived for so long was accepted: attempts to connect are counted anew. */
const steadyMilliseconds = 10_000

let live = initial
const listeners = new Set<() => void>()

export function readLive(): Live {
  return live
}

/** Calls a function after each change. Returns a function that ends that. */
export function subscribeLive(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the time by the clock of the service. */
export function serviceNow(): number {
  return Date.now() + live.clockSkew
}

export function dismissRestart(): void {
  update({ restartedFrom: undefined })
}

/** Reads the overview and the history, and follows the stream until the function that it returns is called. */
export function followService(): () => void {
  const controller = new AbortController()
  live = initial
  void follow(controller.signal)
  return () => controller.abort()
}

/** Reads the overview again. */
export async function refreshOverview(signal?: AbortSignal): Promise<void> {
  const overview = (await requestJson('overview', signal)) as OverviewDocument
  noteApplication(overview.application)
  update({ overview, findings: overview.findings, clockSkew: overview.now - Date.now(), remaining: undefined })
}

async function follow(signal: AbortSignal): Promise<void> {
  for (let attempts = 0; !signal.aborted; attempts++) {
    let reason = 'The stream ended.'
    let pause = 0
    let connectedAt = Number.POSITIVE_INFINITY
    try {
      await refreshOverview(signal)
      const history = (await requestJson('history?resolution=second', signal)) as HistoryDocument
      update({ samples: mergeHistory(live.samples, history) })
      await readStream(signal, () => {
        connectedAt = performance.now()
      })
    } catch (error) {
      if (signal.aborted || (error instanceof RequestError && error.status === 401)) return
      reason = error instanceof Error ? error.message : String(error)
      if (error instanceof RequestError && error.members !== undefined) update({ remaining: error.members })
      pause = requestedPause(error)
    }
    // A service that accepts the stream and cuts it at once is not connected again at once.
    if (performance.now() - connectedAt >= steadyMilliseconds) attempts = 0
    // After the pause, with jitter: all pages that were refused would otherwise return at the same time.
    const delay = pause + reconnectDelay(attempts, Math.random())
    update({ connection: { state: 'waiting', reason, until: Date.now() + delay } })
    await wait(delay, signal)
  }
}

async function readStream(signal: AbortSignal, onConnected: () => void): Promise<void> {
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  let timer = setTimeout(() => silence.abort(), silenceMilliseconds)
  try {
    const response = await request('stream', { headers: { Accept: 'text/event-stream' }, signal: either })
    const parse = createEventParser()
    const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), silenceMilliseconds)
      if (live.connection.state !== 'live') {
        update({ connection: { state: 'live' } })
        onConnected()
      }
      for (const { event, data } of parse(value)) readEvent(event, data)
    }
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw new Error('The service has sent nothing for 20 s.')
    if (error instanceof RequestError || signal.aborted) throw error
    throw new Error('The connection was lost.')
  } finally {
    clearTimeout(timer)
  }
}

function readEvent(event: string, data: string): void {
  if (event === 'sample') {
    const sample = JSON.parse(data) as Vitals
    update({ samples: addSample(live.samples, sample) })
  }
  if (event === 'findings') update({ findings: JSON.parse(data) as readonly Finding[] })
  if (event === 'application') noteApplication(JSON.parse(data) as ApplicationFacts)
}

function noteApplication(application: ApplicationFacts): void {
  const before = live.application
  const isOther =
    before !== undefined && (before.startedAt !== application.startedAt || before.version !== application.version)
  update({ application, ...(isOther && { restartedFrom: before }) })
}

function update(changes: Partial<Live>): void {
  live = { ...live, ...changes }
  for (const listener of listeners) listener()
}
