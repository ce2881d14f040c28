import type { RequestListener } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import Koa3 from 'koa'
import mount from 'koa-mount'
import Koa2 from 'koa2'
import { answerErrors, manage } from '../../adapters/koa.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

const versions = { 'Koa 3': Koa3, 'Koa 2': Koa2 as unknown as typeof Koa3 }

export function koaApp(version: keyof typeof versions) {
  return (management: Management, { prefix, parser }: Mount, report: (error: unknown) => void): RequestListener => {
    const app = new versions[version]()
    app.on('error', report)
    app.use(answerErrors())
    if (parser) app.use(bodyParser())
    app.use(prefix === '' ? manage(management) : mount(prefix, manage(management)))
    app.use(async (context) => {
      if (context.path === '/echo') {
        const { body } = context.request as { body?: object }
        context.body = body ?? context.req
        return
      }
      const failure = failures[/^\/fail\/(\w+)$/.exec(context.path)?.[1] ?? '']
      if (failure === undefined) throw new HttpError(404, 'There is no resource at this address.')
      context.set({ 'X-Request-Id': 'r-1', ETag: '"stale"', 'Content-Encoding': 'gzip' })
      await Promise.resolve()
      throw failure()
    })
    return app.callback()
  }
}
