import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'

const root = resolve(import.meta.dirname, '../..')

describe.each([
  ['express', 'docs/start/express.md'],
  ['koa', 'docs/start/koa.md'],
  ['node', 'docs/start/node-http.md'],
  ['fastify', 'docs/start/fastify.md'],
  ['hono', 'docs/start/hono.md'],
])('the quick start for %s', (name, document) => {
  const program = built(`build/examples/${name}.js`)
  let child: Child
  let origin: string

  beforeAll(async () => {
    child = startChild(process.execPath, [program], { env: { ...process.env, PORT: '0' } })
    const [, port] = /port: (\d+)/.exec(await child.out.line(/port: /)) ?? []
    origin = `http://127.0.0.1:${port}`
  })
  afterAll(() => child.kill())

  it('serves its own routes, its health and its info', async () => {
    expect(await (await fetch(`${origin}/orders`)).text()).toBe('[]')
    expect(await (await fetch(`${origin}/management/health`)).json()).toEqual({
      status: 'UP',
      groups: ['liveness', 'readiness'],
    })
    const info = await (await fetch(`${origin}/management/info`)).json()
    expect(info).toMatchObject({ application: { name: 'orders', version: '1.4.2' } })
  })

  it('responds to unknown addresses with an error document', async () => {
    const answer = await fetch(`${origin}/elsewhere`)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(await answer.json()).toMatchObject({ title: 'Not Found', instance: '/elsewhere' })
  })

  it('prints why it cannot listen on a port in use, and exits with 1', async () => {
    const env = { ...process.env, PORT: new URL(origin).port }
    const second = startChild(process.execPath, [program], { env })
    expect([await second.ended, second.err.lines.join()]).toEqual([1, expect.stringContaining('EADDRINUSE')])
  })

  it(`is quoted in ${document} without changes`, () => {
    const source = readFileSync(resolve(root, `examples/${name}.ts`), 'utf8').trim()
    expect(source.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(17)
    expect(readFileSync(resolve(root, document), 'utf8')).toContain(source)
  })
})

describe('the quick start for fetch servers', () => {
  it('serves its own routes and its health', async () => {
    const { fetch: answer }: { fetch: (request: Request) => Promise<Response> } = await import(
      resolve(root, 'build/examples/fetch.js')
    )
    expect(await (await answer(new Request('http://127.0.0.1/orders'))).json()).toEqual([])
    const health = await answer(new Request('http://127.0.0.1/management/health'))
    expect(await health.json()).toEqual({ status: 'UP', groups: ['liveness', 'readiness'] })
  })

  it('is quoted in docs/start/bun-deno.md without changes', () => {
    const source = readFileSync(resolve(root, 'examples/fetch.ts'), 'utf8').trim()
    expect(source.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(17)
    expect(readFileSync(resolve(root, 'docs/start/bun-deno.md'), 'utf8')).toContain(source)
  })
})
