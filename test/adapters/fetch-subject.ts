import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { answerErrors, manage } from '../../adapters/fetch.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

export function fetchApp(management: Management, _mount: Mount, report: (error: unknown) => void): RequestListener {
  const managed = manage(management)
  const answer = answerErrors((request: Request) => managed(request) ?? route(request), {
    report: (_message, cause) => report(cause),
  })
  return getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
}

async function route(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/echo') return new Response(request.body)
  const failure = failures[/^\/fail\/(\w+)$/.exec(pathname)?.[1] ?? '']
  await Promise.resolve()
  throw failure === undefined ? new HttpError(404, 'There is no resource at this address.') : failure()
}
