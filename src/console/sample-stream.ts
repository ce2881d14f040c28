import { setTimeout as delay } from 'node:timers/promises'
import { isHttpError } from '../http/errors/http-error.ts'
import type { Console } from './console.ts'
import type { OverviewDocument, Vitals } from './documents.ts'

/** The findings are read with each of this many samples. */
const findingsEvery = 5

/**
 * Streams the samples of a console as server-sent events, until the signal aborts. A reader that is slow misses
 * samples: nothing is queued for it. Findings follow when they are known: a check that hangs delays no sample.
 */
export async function* streamSamples(console: Console, signal: AbortSignal): AsyncGenerator<string> {
  let sample: Vitals | undefined
  let wake: () => void = () => {}
  const unsubscribe = console.sampler.subscribe((vitals) => {
    sample = vitals
    wake()
  })
  const abort = () => wake()
  signal.addEventListener('abort', abort, { once: true })

  let reading: Promise<string> | undefined
  let findings: Promise<string> | undefined
  const startFindings = () => {
    const started = readFindings(console)
    reading = started
    const settle = () => {
      findings = started
      wake()
    }
    started.then(settle, settle)
  }

  let sent = 0
  let sentFindings: string | undefined
  try {
    yield event('application', console.application)
    while (!signal.aborted) {
      if (findings !== undefined) {
        const text: string = await findings
        findings = undefined
        reading = undefined
        if (text !== sentFindings) yield text
        sentFindings = text
      } else if (sample !== undefined) {
        const vitals: Vitals = sample
        sample = undefined
        yield event('sample', vitals)
        if (sent % findingsEvery === 0 && reading === undefined) startFindings()
        sent += 1
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
  } finally {
    unsubscribe()
    signal.removeEventListener('abort', abort)
  }
}

/** The interval of samples that are read from overviews, in milliseconds. */
const overviewMilliseconds = 1_000

type StreamedOverview = Pick<OverviewDocument, 'application' | 'findings' | 'vitals'>

/**
 * Streams what overviews contain as `streamSamples` does, until the signal aborts or there is no overview any more. One
 * that cannot be read is omitted.
 */
export async function* streamOverviews(
  read: () => Promise<StreamedOverview | undefined>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const last = new Map<string, string>()
  while (!signal.aborted) {
    let overview: StreamedOverview | undefined
    try {
      overview = await read()
      if (overview === undefined) return
    } catch (error) {
      if (!isHttpError(error) || error.status === 404) return
    }
    // A comment shows that the connection is there.
    const events = overview === undefined ? [] : ofOverview(overview).filter(([name, text]) => last.get(name) !== text)
    yield events.map(([, text]) => text).join('') || ':\n\n'
    for (const [name, text] of events) last.set(name, text)
    await delay(overviewMilliseconds, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

function ofOverview(overview: StreamedOverview): readonly (readonly [name: string, text: string])[] {
  const { application, vitals, findings } = overview
  return Object.entries({ application, sample: vitals, findings }).map(([name, data]) => [name, event(name, data)])
}

async function readFindings(console: Console): Promise<string> {
  const { root } = await console.health()
  return event('findings', console.findings(root))
}

function event(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
