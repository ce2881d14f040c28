// Uses the built package as a service on Bun or Deno would: upkeep/fetch and upkeep/hono over the runtime's own server.
// Usage, in the repository and after `npm run build`: bun scripts/fetch-smoke.mjs, deno run -A scripts/fetch-smoke.mjs
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { Hono } from 'hono'
import { quickStartsKeepContract } from './keep-contract.mjs'

const { Bun, Deno } = globalThis
const runtime = Bun ? `Bun ${Bun.version}` : `Deno ${Deno.version.deno}`
const require = createRequire(import.meta.url)
const names = ['upkeep', 'upkeep/fetch', 'upkeep/hono']
const imported = await Promise.all(names.map((name) => import(name)))

await check('ESM', fetchApp, imported)
await check('ESM, Hono', honoApp, imported)
await check(
  'CommonJS',
  fetchApp,
  names.map((name) => require(name)),
)
// Deno takes its code cache for valid if a CommonJS file at the same path has the same length, as another build may.
const held = await quickStartsKeepContract({
  run: Bun ? [process.execPath] : [Deno.execPath(), 'run', '--allow-all', '--no-code-cache'],
  node: 'node',
})
console.log(`upkeep/fetch and upkeep/hono, ESM and CommonJS, ${held}, on ${runtime}`)
process.exit(0)

function fetchApp({ observe, manage, handleErrors }, _hono, management) {
  const observed = observe(management, { route: ({ url }) => (url.includes('/orders/') ? '/orders/:id' : undefined) })
  const managed = manage(management)
  return handleErrors((request) => observed(request, () => managed(request) ?? order(request)), { report: () => {} })
}

function honoApp(_fetch, { observe, manage, handleErrors }, management) {
  const app = new Hono().onError(handleErrors({ report: () => {} }))
  app.use(observe(management))
  app.use(manage(management))
  app.get('/orders/:id', ({ req }) => order(req.raw))
  return app.fetch
}

function order({ url }) {
  const { pathname } = new URL(url)
  if (pathname.endsWith('/fail')) throw new Error('no')
  if (pathname.endsWith('/1')) return Response.json([])
  const content = new ReadableStream({
    async pull(to) {
      await new Promise(setImmediate)
      to.enqueue(new TextEncoder().encode('and so on'))
      if (pathname.endsWith('/stream')) to.close()
    },
  })
  return new Response(content)
}

async function check(name, createApp, [{ createManagement }, forFetch, forHono]) {
  const management = createManagement({
    application: { name: 'smoke' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    info: { build: false, git: false },
    health: { indicators: { db: () => ({ status: 'UP' }) }, showDetails: 'always' },
  })
  await serving(createApp(forFetch, forHono, management), async (ask, base) => {
    const health = await ask('/management/health')
    assert.equal(health.status, 200, name)
    assert.equal(health.headers.get('cache-control'), 'no-store', name)
    assert.equal(JSON.parse(health.body).components.db.status, 'UP', name)

    const head = await ask('/management/health', { method: 'HEAD' })
    assert.deepEqual([head.status, head.body], [200, ''], name)
    assert.equal(head.headers.get('content-length'), String(health.body.length), name)

    const refused = await ask('/management/health', { method: 'POST', body: '{}' })
    assert.equal(refused.status, 405, name)
    assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS', name)
    assert.equal((await ask('/management/health', { method: 'OPTIONS' })).status, 204, name)

    const info = await ask('/management/info')
    const fresh = await ask('/management/info', { headers: { 'If-None-Match': info.headers.get('etag') } })
    assert.deepEqual([info.status, fresh.status, fresh.body], [200, 304, ''], name)

    const whole = await ask('/orders/1?key=secret')
    // An answer in one piece is observed as it is.
    assert.deepEqual([whole.status, whole.body], [200, '[]'], name)
    assert.equal(whole.headers.get('content-length'), '2', name)
    assert.match((await ask('/orders/stream')).body, /and so on/, name)
    const failed = await ask('/orders/fail')
    assert.deepEqual([failed.status, JSON.parse(failed.body).title], [500, 'Internal Server Error'], name)

    const leaving = new AbortController()
    const left = await fetch(`${base}/orders/endless`, { signal: leaving.signal })
    await left.body.getReader().read()
    leaving.abort()

    const expected = [
      ['200', 'SUCCESS', 'none', 2],
      ['499', 'ABORTED', 'none', 1],
      ['500', 'SERVER_ERROR', 'Error', 1],
    ]
    const counted = () =>
      [...management.meters.snapshot('http.server.requests')]
        .map(({ id, count }) => {
          const tag = (key) => id.tags.find((each) => each.key === key)?.value
          assert.equal(tag('uri'), '/orders/:id', name)
          return [tag('status'), tag('outcome'), tag('exception'), count]
        })
        .sort()
    for (let tries = 0; tries < 500 && counted().length < 3; tries += 1) await ask('/management/health')
    assert.deepEqual(counted(), expected, name)

    const metric = await ask('/management/metrics/http.server.requests')
    assert.equal(JSON.parse(metric.body).measurements[0].value, 4, name)
    const scrape = await ask('/management/prometheus')
    assert.equal(scrape.status, 200, name)
    assert.match(scrape.body, /^http_server_requests_seconds_count\{.*status="499".*uri="\/orders\/:id".*\} 1$/m, name)
    assert.match(scrape.body, /^process_uptime_seconds /m, name)
    assert.match((await ask('/management/metrics')).body, /"http.server.requests"/, name)
  })
  management.close()
}

async function serving(answer, use) {
  const server = Bun
    ? Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: (request) => answer(request) })
    : Deno.serve({ hostname: '127.0.0.1', port: 0, onListen: () => {} }, (request) => answer(request))
  const base = `http://127.0.0.1:${server.port ?? server.addr.port}`
  const ask = async (path, options) => {
    const response = await fetch(base + path, options)
    return { status: response.status, headers: response.headers, body: await response.text() }
  }
  await use(ask, base)
  await (Bun ? server.stop(true) : server.shutdown())
}
