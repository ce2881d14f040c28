import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import createRouter from 'router'
import { createManagement } from 'upkeep'
import { adapterConformance, type ConformanceApplication, type RouteAnswer } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { handleErrors, manage, observe } from '../../examples/router-adapter.ts'
import { listen } from '../support/listen.ts'

async function start({ options, prefix, routes, otherwise, report }: ConformanceApplication) {
  const management = createManagement(options)
  const router = createRouter()
  router.use(observe(management))
  router.use(prefix || '/', manage(management))
  for (const { method, path, fields, answer } of routes) {
    router[method === 'GET' ? 'get' : 'post'](path, async (req: IncomingMessage, res: ServerResponse) => {
      for (const [name, value] of Object.entries(fields)) res.setHeader(name, value)
      send(req, res, await answer(() => text(req)))
    })
  }
  router.use((req: IncomingMessage, res: ServerResponse) =>
    send(req, res, otherwise((req.url ?? '').replace(/\?.*/, ''))),
  )
  router.use(handleErrors({ report: (_message, cause) => report(cause) }))
  return { ...(await listen((req, res) => router(req, res, () => res.destroy()))), management }
}

function send(req: IncomingMessage, res: ServerResponse, { status, fields, body }: RouteAnswer): void {
  res.writeHead(status, fields)
  if (typeof body === 'string' || req.method === 'HEAD') res.end(typeof body === 'string' ? body : undefined)
  // A client that disconnects is not an error.
  else void pipeline(Readable.from(body), res).catch(() => undefined)
}

describe.each(['', '/ops'])('the adapter of the guide, mounted below "%s"', (prefix) => {
  for (const { title, run } of adapterConformance({ start, prefix })) it(title, run)
})

it('is quoted in the guide without changes', () => {
  const root = resolve(import.meta.dirname, '../..')
  const source = readFileSync(resolve(root, 'examples/router-adapter.ts'), 'utf8').trim()
  expect(readFileSync(resolve(root, 'docs/reference/adapters.md'), 'utf8')).toContain(source)
})
