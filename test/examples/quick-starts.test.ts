import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

describe.each([
  ['express', 'README.md'],
  ['koa', 'README.md'],
  ['node', 'README.md'],
  ['fastify', 'docs/adapters.md'],
  ['hono', 'docs/adapters.md'],
])('the quick start for %s', (name, document) => {
  const built = resolve(root, `build/examples/${name}.js`)
  let child: ReturnType<typeof spawn>
  let origin: string

  beforeAll(async () => {
    if (!existsSync(built)) throw new Error(`${built} is not there: run npm run build`)
    child = spawn(process.execPath, [built], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const printed = await new Promise<string>((resolve, reject) => {
      child.stdout?.once('data', (chunk) => resolve(String(chunk)))
      child.once('exit', (code) => reject(new Error(`ended with ${code}`)))
    })
    origin = `http://127.0.0.1:${/port: (\d+)/.exec(printed)?.[1]}`
  })
  afterAll(() => void child.kill())

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
    const second = spawn(process.execPath, [built], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    second.stderr?.on('data', (chunk) => {
      printed += chunk
    })
    const code = await new Promise((resolve) => second.once('close', resolve))
    expect([code, printed]).toEqual([1, expect.stringContaining('EADDRINUSE')])
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

  it('is quoted in docs/adapters.md without changes', () => {
    const source = readFileSync(resolve(root, 'examples/fetch.ts'), 'utf8').trim()
    expect(source.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(17)
    expect(readFileSync(resolve(root, 'docs/adapters.md'), 'utf8')).toContain(source)
  })
})
