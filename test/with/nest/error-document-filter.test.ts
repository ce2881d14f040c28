import { NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { ErrorDocumentFilter } from 'upkeep/nest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moduleOf } from './application/parts.ts'
import { platforms } from './application/start.ts'
import { largeLength, ThrowingController } from './application/throwing.ts'

describe.each(platforms)('ErrorDocumentFilter on %s', (platform) => {
  const reported: unknown[] = []
  let url: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter()
    const app = await NestFactory.create(moduleOf([], [], [ThrowingController]), adapter, { logger: false })
    app.useGlobalFilters(new ErrorDocumentFilter({ report: (_message, cause) => void reported.push(cause) }))
    await app.listen(0, '127.0.0.1')
    url = `${await app.getUrl()}/throwing`
    close = () => app.close()
  })
  afterAll(() => close())

  const documentOf = async (what: string) => {
    const response = await fetch(`${url}/${what}`)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    return { code: response.status, ...((await response.json()) as object) }
  }

  it('keeps the members of subclasses, and an object under the name "error"', async () => {
    expect(await documentOf('subclass')).toMatchObject({ code: 402, detail: 'Pay first.', amount: 5 })
    expect(await documentOf('terminus')).toMatchObject({ code: 503, status: 503, error: { db: { status: 'down' } } })
  })

  it('converts lists of messages, and errors of class-validator with the path of each member', async () => {
    expect(await documentOf('list')).toMatchObject({
      code: 400,
      detail: 'too short; too late',
      errors: [
        { path: '', message: 'too short' },
        { path: '', message: 'too late' },
      ],
    })
    expect(await documentOf('faults')).toMatchObject({
      detail: 'name must be a string; a/b must be an integer; unknown member',
      errors: [
        { path: '/name', message: 'name must be a string' },
        { path: '/address/a~1b', message: 'a/b must be an integer' },
        { path: '', message: 'unknown member' },
      ],
    })
  })

  it.each(['text', 'nothing', 'null', 'redirect'])('responds with 500 when %s is thrown', async (what) => {
    expect(await documentOf(what)).toEqual({
      code: 500,
      status: 500,
      type: 'about:blank',
      title: 'Internal Server Error',
      instance: `/throwing/${what}`,
    })
  })

  it('cuts off a response that has begun, and reports the error once', async () => {
    reported.splice(0)
    await expect(fetch(`${url}/begun`).then((response) => response.text())).rejects.toThrow()
    expect(reported.map(String)).toEqual(['Error: after the head'])
  })

  it('does not cut off a response that is complete', async () => {
    const response = await fetch(`${url}/ended`)
    expect((await response.arrayBuffer()).byteLength).toBe(largeLength)
  })
})
