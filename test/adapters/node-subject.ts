import type { RequestListener } from 'node:http'
import { json } from 'node:stream/consumers'
import { answerErrors, manage } from '../../adapters/node.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

export function nodeApp(management: Management, { parser }: Mount, report: (error: unknown) => void): RequestListener {
  const managed = manage(management)
  return answerErrors(
    async (req, res) => {
      const isJson = parser && req.headers['content-type'] === 'application/json'
      const body = isJson && Number(req.headers['content-length']) > 0 ? await json(req) : undefined
      return managed(req, res, async () => {
        const failure = failures[/^\/fail\/(\w+)/.exec(req.url ?? '')?.[1] ?? '']
        if (req.url === '/echo') {
          if (body === undefined) req.pipe(res)
          else res.end(JSON.stringify(body))
        } else if (failure === undefined) {
          throw new HttpError(404, 'There is no resource at this address.')
        } else {
          res.setHeader('X-Request-Id', 'r-1').setHeader('ETag', '"stale"').setHeader('Content-Encoding', 'gzip')
          await Promise.resolve()
          throw failure()
        }
      })
    },
    { report: (_message, cause) => report(cause) },
  )
}
