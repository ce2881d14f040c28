import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useConsoleBrowser } from '../../console/console-browser.ts'
import { type Child, startChild } from '../../support/child.ts'
import { describeProgram } from '../../support/describe-program.ts'
import { runDocumentedContract } from '../../support/documented-contract.ts'
import { freePort } from '../../support/free-port.ts'
import { type OtlpReceiver, startReceiver } from '../../support/otlp/receiver.ts'
import { queryPrometheus, startPrometheus } from '../../support/start-prometheus.ts'
import { type BuiltApplication, buildApplication } from './build-application.ts'
import { token } from './documented-files.ts'

interface Variant {
  /** What the documentation adds to the project. */
  readonly files: Readonly<Record<string, string>>
  /** With which Next.js exits by itself after SIGTERM. */
  readonly exitCode: number
}

const trace = '0af7651916cd43dd8448eb211c80319c'

/** The tests of `upkeep/next` on an application: built once, and started twice; and once more for development. */
export function describeNext(version: '15' | '16', { files, exitCode }: Variant): void {
  describe(`Next.js ${version}`, () => {
    let application: BuiltApplication
    let receiver: OtlpReceiver
    let server: Child
    let port: number
    const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
    const scrape = async () => await (await get('/management/prometheus')).text()

    async function start(env: NodeJS.ProcessEnv): Promise<void> {
      port = await freePort()
      server = startChild(process.execPath, ['server.js'], {
        cwd: application.folder,
        env: { ...environment(), ...env, HOSTNAME: '127.0.0.1', NODE_ENV: 'production' },
      })
      await server.out.line(/Ready in/)
      // The first request may be served before instrumentation.ts has been executed, and is not counted then.
      await get('/management/health')
    }

    const environment = () => ({ ...process.env, PORT: String(port), OTLP_URL: receiver.url })

    beforeAll(async () => {
      receiver = await startReceiver()
      application = await buildApplication(version, files)
      await start({ NEXT_MANUAL_SIG_HANDLE: 'true' })
    })

    afterAll(async () => {
      await server?.kill()
      await application?.remove()
      await receiver?.dispose()
    })

    it('counts requests by the template of their route, and errors by name', async () => {
      const statuses: Record<string, number> = {}
      for (const path of [
        ...['/', '/orders/1', '/orders/2', '/orders/broken', '/api/orders/1', '/api/orders/2', '/api/failing'],
        ...['/api/legacy/a', '/hello.txt', '/nowhere'],
      ]) {
        const response = await get(path)
        await response.arrayBuffer()
        statuses[path] = response.status
      }
      expect(statuses).toMatchObject({ '/orders/1': 200, '/orders/broken': 500, '/api/failing': 500, '/nowhere': 404 })
      const counts = countsIn(await scrape())
      expect(counts).toEqual({
        '/ 200 none': 1,
        '/orders/[id] 200 none': 2,
        '/orders/[id] 500 RangeError': 1,
        '/api/orders/[id] 200 none': 2,
        '/api/failing 500 TypeError': 1,
        '/api/legacy/[name] 200 none': 1,
        'UNKNOWN 200 none': 1,
        'NOT_FOUND 404 none': 1,
      })
    })

    it('has one management in pages, route handlers, the folder pages/ and instrumentation.ts', async () => {
      const page = await scrape()
      expect(page).toContain('orders_read_total{from="page"} 3')
      expect(page).toContain('orders_read_total{from="route"} 2')
      expect(page).toContain('orders_read_total{from="pages"} 1')
      expect(await (await get('/management/info')).json()).toMatchObject({ application: { name: 'shop' } })
    })

    it('links to the host of the request', async () => {
      const { _links } = (await (await get('/management')).json()) as { _links: { self: { href: string } } }
      expect(_links.self.href).toBe(`http://127.0.0.1:${port}/management`)
    })

    it('responds with the reason in the edge runtime', async () => {
      const response = await get('/edge')
      expect(response.status).toBe(501)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(/^upkeep\/next: not available in the edge runtime, .*runs on Node\.js$/),
      })
    })

    it('passes the contract, by the command of its page', async () => {
      const url = `http://127.0.0.1:${port}`
      const { code, out } = await runDocumentedContract('docs/start/next.md', 3000, url, '--route', '/api/orders/1')
      expect(out).toMatch(/^2\d\d held, 0 broken, \d+ skipped$/m)
      expect(code).toBe(0)
    })

    if (files['instrumentation.node.ts'] !== undefined) {
      describeProgram({ program: 'chromium', debian: 'chromium' }, (executablePath) => {
        const { open, signIn, visit } = useConsoleBrowser(executablePath)

        it('shows every screen of the console', async () => {
          const { page, complaints } = await open(`http://127.0.0.1:${port}/management/console`)
          await signIn(page, token)
          await visit(page, (text) => expect(text).not.toContain(token))
          expect(complaints).toEqual([])
        })
      })
    }

    describeProgram({ program: 'prometheus', debian: 'prometheus' }, (command) => {
      it('is scraped by Prometheus, compressed', async () => {
        const prometheus = await startPrometheus({ next: { port, path: '/management/prometheus' } }, { command })
        try {
          await expect
            .poll(
              async () => {
                const query = 'http_server_requests_seconds_count{uri="/orders/[id]",status="200"}'
                const { result } = await queryPrometheus<QueryResult>(prometheus, 'query', { query })
                return result[0]?.value[1]
              },
              { timeout: 180_000 },
            )
            .toBe('2')
        } finally {
          await prometheus.dispose()
        }
      })
    })

    it('serves during the delay of a shutdown, finishes requests, and exits with 0', async () => {
      await get('/api/calls', { headers: { traceparent: `00-${trace}-b7ad6b7169203331-01` } })
      const slow = get('/api/slow')
      await expect.poll(async () => await scrape()).toContain('http_server_requests_active_seconds_count')
      server.process.kill('SIGTERM')
      await server.err.line(/shutting down \(SIGTERM\)/)
      expect((await get('/management/health/readiness')).status).toBe(503)
      expect((await get('/orders/3')).status).toBe(200)
      expect(await (await slow).json()).toEqual({ isDone: true })
      expect(await server.ended).toBe(0)
    })

    it.skipIf(files['instrumentation.node.ts'] === undefined)(
      'exports traces across fetch, and metrics (with instrumentation.node.ts)',
      () => {
        const spans = receiver.exports.flatMap((each) => each.spans).filter(({ traceId }) => traceId === trace)
        const nameOf = (id: string | undefined) => spans.find(({ spanId }) => spanId === id)?.name
        expect(Object.fromEntries(spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]))).toEqual({
          'GET /api/calls': undefined,
          GET: 'GET /api/calls',
          'GET /api/orders/[id]': 'GET',
        })
        const metrics = receiver.exports.flatMap((each) => each.metrics).map(({ name }) => name)
        expect(metrics).toContain('http.server.requests')
      },
    )

    it('leaves the shutdown to Next.js by default', async () => {
      await start({})
      expect((await get('/management/health/readiness')).status).toBe(200)
      server.process.kill('SIGTERM')
      expect(await server.ended).toBe(exitCode)
    })

    it('serves and observes in "next dev"', async () => {
      port = await freePort()
      server = startChild(process.execPath, ['node_modules/next/dist/bin/next', 'dev', '--hostname', '127.0.0.1'], {
        cwd: application.project,
        env: { ...environment(), NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
      })
      await server.out.line(/Ready in/)
      expect((await get('/management/health')).status).toBe(200)
      expect([(await get('/orders/1')).status, (await get('/api/failing')).status]).toEqual([200, 500])
      const page = await scrape()
      expect(countsIn(page)).toMatchObject({ '/orders/[id] 200 none': 1, '/api/failing 500 TypeError': 1 })
      expect(page).toContain('orders_read_total{from="page"} 1')
      server.process.kill('SIGTERM')
      await server.ended
    })
  })
}

interface QueryResult {
  readonly result: readonly { readonly value: readonly [number, string] }[]
}

/** Returns the counts of requests in a scrape, by route, status and error. */
function countsIn(page: string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const [, tags = '', count] of page.matchAll(/^http_server_requests_seconds_count\{(.*)\} (\d+)$/gm)) {
    const value = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(tags)?.[1]
    counts[`${value('uri')} ${value('status')} ${value('exception')}`] = Number(count)
  }
  return counts
}
