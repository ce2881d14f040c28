import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { ResponseObject, ResponseToolkit } from '@hapi/hapi'
import { createManagement } from 'upkeep'
import type { ConformanceApplication, RouteAnswer, StartedApplication } from 'upkeep/contract'
import { importDocumented } from './import-documented.ts'

const { manage, observe, handleErrors } = await importDocumented('hapi-upkeep.js')

export async function startHapi(application: ConformanceApplication): Promise<StartedApplication> {
  const { options, prefix, routes, otherwise, report } = application
  const { server: createHapi } = await import('@hapi/hapi')
  const management = createManagement({ ...options, basePath: `${prefix}/management` })
  const listener = createServer({ maxHeaderSize: 65_536 })
  const server = createHapi({ host: '127.0.0.1', port: 0, debug: false, listener })
  observe(management, server)
  server.ext('onRequest', manage(management))
  server.ext('onPreResponse', ({ route, path }, h) => {
    if (String(route.method) !== '_special') return h.continue
    try {
      return respond(h, otherwise(path))
    } catch {
      return h.continue
    }
  })
  server.ext('onPreResponse', handleErrors({ report: (_message: string, cause: unknown) => report(cause) }))
  for (const { method, path, fields, answer } of routes) {
    server.route({
      method,
      path: path.replace(':id', '{id}'),
      ...(method !== 'GET' && { options: { payload: { parse: false, output: 'stream' } } }),
      async handler({ raw: { req, res } }, h) {
        for (const [name, value] of Object.entries(fields)) res.setHeader(name, value)
        return respond(h, await answer(() => text(req)))
      },
    })
  }
  await server.start()
  const close = async () => {
    listener.closeAllConnections()
    await server.stop({ timeout: 0 })
  }
  return { port: Number(server.info.port), close, management }
}

function respond(h: ResponseToolkit, { status, fields, body }: RouteAnswer): ResponseObject {
  const content = typeof body === 'string' ? body : Readable.from(body, { objectMode: false })
  const response = h.response(content).code(status)
  for (const [name, value] of Object.entries(fields)) response.header(name, String(value))
  return response
}
