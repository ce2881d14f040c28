import { describe, expect, it, onTestFinished } from 'vitest'
import type { Console } from '../../src/console/console.ts'
import type { Finding, HealthDocument } from '../../src/console/documents.ts'
import { streamSamples } from '../../src/console/sample-stream.ts'
import { Sampler } from '../../src/console/vitals/vital-samples.ts'
import { deferred } from '../support/deferred.ts'
import { createManualClock } from '../support/manual-clock.ts'

const idle = { loopDelay: 0, loopUtilization: 0, cpu: 0, rss: 1, heapUsed: 1, heapTotal: 1, external: 0, gc: 0 }
const root = { path: '', status: 'UP', components: [] }
const known: HealthDocument = { now: 0, root, groups: {}, changes: [] }

/** A stream whose first event, the application, has been read. */
async function openStream(given: Partial<Pick<Console, 'health' | 'findings'>> = {}) {
  const clock = createManualClock()
  const sampler = new Sampler({ clock, process: { read: () => idle }, active: () => null })
  const application = { name: 'orders', startedAt: 0, node: 'v24.0.0', pid: 7, host: 'h' }
  const shown = { sampler, application, health: () => known, findings: () => [], ...given }
  const closing = new AbortController()
  // Safe: the stream reads nothing else.
  const events = streamSamples(shown as unknown as Console, closing.signal)
  onTestFinished(() => void events.return(undefined))
  const next = async (): Promise<readonly [name: string, data: unknown]> => {
    const { value = '' } = await events.next()
    const [, name = 'end', data = 'null'] = /^event: (\w+)\ndata: (.*)\n\n$/.exec(value as string) ?? []
    return [name, JSON.parse(data)]
  }
  await next()
  return {
    ...{ next, closing },
    sample() {
      clock.advance(1_000)
      sampler.sample()
    },
  }
}

describe('the stream of samples', () => {
  it('keeps the latest sample only for a reader that is slow', async () => {
    const { next, sample } = await openStream()
    for (let second = 0; second < 10_000; second++) sample()
    expect(await next()).toMatchObject(['sample', { at: 10_000_000 }])
    expect(await next()).toMatchObject(['findings', []])
    const waiting = next()
    sample()
    expect(await waiting).toMatchObject(['sample', { at: 10_001_000 }])
  })

  it('continues while a check never settles, which it waits for once', async () => {
    let reads = 0
    const { next, sample } = await openStream({
      health() {
        reads += 1
        return new Promise(() => {})
      },
    })
    for (let second = 1; second <= 20; second++) {
      sample()
      expect(await next()).toMatchObject(['sample', { at: second * 1_000 }])
    }
    expect(reads).toBe(1)
  })

  it('sends the findings when the checks that they wait for have settled', async () => {
    const checks = deferred<HealthDocument>()
    const finding: Finding = { kind: 'health', severity: 'critical', text: 'db is DOWN', link: '#/health' }
    const { next, sample } = await openStream({ health: () => checks.promise, findings: () => [finding] })
    sample()
    await next()
    const waiting = next()
    checks.resolve(known)
    expect(await waiting).toEqual(['findings', [finding]])
  })

  it('sends findings again only when they have changed, of each fifth sample', async () => {
    let reads = 0
    const { next, sample } = await openStream({
      findings() {
        reads += 1
        return []
      },
    })
    const names: string[] = []
    sample()
    for (let second = 0; second < 11; second++) {
      names.push((await next())[0])
      if (names.at(-1) === 'sample') sample()
    }
    expect(names.filter((name) => name === 'findings')).toHaveLength(1)
    expect(reads).toBe(2)
  })

  it('fails if the findings cannot be read', async () => {
    const { next, sample } = await openStream({ health: () => Promise.reject(new Error('no memory')) })
    sample()
    await next()
    await expect(next()).rejects.toThrow('no memory')
  })

  it('ends on its signal while it waits', async () => {
    const { next, closing } = await openStream({ health: () => new Promise(() => {}) })
    const waiting = next()
    closing.abort()
    expect(await waiting).toEqual(['end', null])
  })
})
