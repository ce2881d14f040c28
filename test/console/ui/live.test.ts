import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { consoleDocuments } from './fixture-documents.ts'

/** What is tested of the module, which has the types of a browser. */
interface LiveModule {
  followService(): () => void
  readLive(): { readonly connection: object }
}

const { followService, readLive } = await vi.importActual<LiveModule>('../../../src/console/ui/live.ts')

const documents = consoleDocuments({ text: '', routes: 1, startedAt: 0, members: [], latestRecord: 9 })
const sample = `event: sample\ndata: ${JSON.stringify(documents['vitals'])}\n\n`

/** Follows a service; returns the times of its connections, in seconds. */
function follow(stream: (connections: number, signal: AbortSignal) => Response) {
  const times: number[] = []
  vi.stubGlobal('fetch', async (url: URL, { signal }: { readonly signal: AbortSignal }) => {
    if (url.pathname.endsWith('overview')) return Response.json(documents['overview'])
    if (url.pathname.endsWith('history')) return Response.json(documents['history?second'])
    times.push(Date.now() / 1_000)
    return stream(times.length, signal)
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  onTestFinished(followService())
  return times
}

/** A stream that sends a sample, and another one each second until it is cut. */
function streamFor(seconds: number): Response {
  const body = new ReadableStream<string>({
    async start(controller) {
      for (let second = 0; second < seconds; second++) {
        controller.enqueue(sample)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
      controller.enqueue(sample)
      controller.close()
    },
  })
  return new Response(body.pipeThrough(new TextEncoderStream()))
}

describe('following a service', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'], now: 0 })
    vi.spyOn(Math, 'random').mockReturnValue(1)
    return () => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    }
  })

  it('waits longer after each stream that is cut at once', async () => {
    const times = follow(() => streamFor(0))
    await vi.advanceTimersByTimeAsync(100_000)
    expect(times).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 31.5, 61.5, 91.5])
  })

  it('connects soon again after a stream that lived for ten seconds', async () => {
    const times = follow((connections) => streamFor(connections === 4 ? 10 : 0))
    await vi.advanceTimersByTimeAsync(20_000)
    expect(times).toEqual([0, 0.5, 1.5, 3.5, 14, 15, 17])
  })

  it('waits as long as the service requests, and longer by a random time', async () => {
    const times = follow(() =>
      Response.json(
        { detail: 'The console has 20 viewers already.' },
        { status: 429, headers: { 'Retry-After': '10' } },
      ),
    )
    await vi.advanceTimersByTimeAsync(5_000)
    expect(readLive().connection).toEqual({
      ...{ state: 'waiting', reason: 'The console has 20 viewers already.', until: 10_500 },
    })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(times).toEqual([0, 10.5, 21.5])
  })

  it('is live while samples come, and connects again after 20 seconds without one', async () => {
    const times = follow((_, signal) => {
      const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        controller.enqueue(Buffer.from(sample))
        signal.addEventListener('abort', () => controller.error(signal.reason))
      }
      return new Response(new ReadableStream({ start }))
    })
    await vi.advanceTimersByTimeAsync(19_000)
    expect(readLive().connection).toEqual({ state: 'live' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(readLive().connection).toMatchObject({ reason: 'The service has sent nothing for 20 s.' })
    await vi.advanceTimersByTimeAsync(1_000)
    expect(times).toHaveLength(2)
  })
})
