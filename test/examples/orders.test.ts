import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { type Child, startChild } from '../support/child.ts'

const root = resolve(import.meta.dirname, '../..')

describe('the example of resources', () => {
  let child: Child
  let origin: string

  beforeAll(async () => {
    child = startChild(process.execPath, [built('build/examples/orders.js')], { env: { ...process.env, PORT: '0' } })
    const [, port] = /port: (\d+)/.exec(await child.out.line(/port: /)) ?? []
    origin = `http://127.0.0.1:${port}`
  })
  afterAll(() => child.kill())

  it('creates, lists, changes, cancels and removes orders', async () => {
    const headers = { 'Content-Type': 'application/json' }
    const send = (method: string, path: string, body: unknown, more = {}) =>
      fetch(`${origin}${path}`, { method, headers: { ...headers, ...more }, body: JSON.stringify(body) })
    const refused = await send('POST', '/api/orders', { item: '', quantity: 0 })
    expect(await refused.json()).toMatchObject({ status: 400, errors: [{ path: '/item' }, { path: '/quantity' }] })
    const placed = await send('POST', '/api/orders', { item: 'tea', quantity: 2 })
    const at = placed.headers.get('location') ?? ''
    expect([placed.status, at]).toEqual([201, expect.stringMatching(/^\/api\/orders\/[\da-f-]{36}$/)])
    const read = await fetch(origin + at)
    const { links, ...order } = (await read.json()) as { readonly links: Record<string, { readonly href: string }> }
    expect(order).toMatchObject({ item: 'tea', quantity: 2, status: 'open' })
    expect((await send('PUT', at, { item: 'tea', quantity: 3 })).status).toBe(428)
    const match = { 'If-Match': read.headers.get('etag') ?? '' }
    expect((await send('PUT', at, { item: 'tea', quantity: 3 }, match)).status).toBe(204)
    expect((await fetch(origin + (links['cancel']?.href ?? ''), { method: 'POST' })).status).toBe(204)
    expect(await (await fetch(`${origin}/api/orders?status=cancelled&fields=quantity`)).json()).toEqual([
      { quantity: 3 },
    ])
    expect(await (await fetch(`${origin}/api/orders?status=open`)).json()).toEqual([])
    expect((await fetch(origin + at, { method: 'DELETE', headers: { 'If-Match': '*' } })).status).toBe(204)
    expect((await fetch(origin + at)).status).toBe(404)
  })

  it('describes itself and its management endpoints', async () => {
    const { paths } = (await (await fetch(`${origin}/api/openapi`)).json()) as { readonly paths: object }
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/orders/{order}/cancel', '/management/health']))
  })

  it('is quoted in the documentation without changes', () => {
    const source = readFileSync(resolve(root, 'examples/orders.ts'), 'utf8').trim()
    expect(readFileSync(resolve(root, 'docs/guides/rest.md'), 'utf8')).toContain(source)
  })
})
