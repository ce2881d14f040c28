import type { RequestListener } from 'node:http'
import express5 from 'express'
import express4 from 'express4'
import { answerErrors, manage } from '../../adapters/express.ts'
import { HttpError, type Management } from '../../src/index.ts'
import { failures } from '../conformance/error-answers.ts'
import type { Mount } from './mount.ts'

const versions = { 'Express 5': express5, 'Express 4': express4 as typeof express5 }

export function expressApp(version: keyof typeof versions) {
  return (management: Management, { prefix, parser }: Mount, report: (error: unknown) => void): RequestListener => {
    const express = versions[version]
    const app = express()
    if (parser) app.use(express.json())
    app.use(prefix || '/', manage(management))
    app.post('/echo', parser ? (req, res) => void res.json(req.body) : (req, res) => void req.pipe(res))
    app.use('/fail/:name', async (req, res, next) => {
      res.set({ 'X-Request-Id': 'r-1', ETag: '"stale"', 'Content-Encoding': 'gzip' })
      await Promise.resolve()
      const failure = failures[req.params.name]?.()
      // Express 4 does not hear of a promise that rejects.
      if (version === 'Express 4') next(failure)
      else throw failure
    })
    app.use(() => {
      throw new HttpError(404, 'There is no resource at this address.')
    })
    app.use(answerErrors({ report: (_message, cause) => report(cause) }))
    return app
  }
}
