import { afterAll, beforeAll, describe } from 'vitest'
import type { Management } from '../../src/index.ts'
import { accessOverHttp, createGuardedManagement } from '../conformance/access-over-http.ts'
import { errorAnswers } from '../conformance/error-answers.ts'
import { managementOverHttp } from '../conformance/management-over-http.ts'
import { metersOverHttp } from '../conformance/meters-over-http.ts'
import { createSubjectManagement, type Subject } from '../conformance/subject.ts'
import { askOver } from '../support/ask.ts'
import { type Listening, listen } from '../support/listen.ts'
import { expressApp } from './express-subject.ts'
import { fastifyApp } from './fastify-subject.ts'
import { fetchApp } from './fetch-subject.ts'
import { honoApp } from './hono-subject.ts'
import { koaApp } from './koa-subject.ts'
import { mounts } from './mount.ts'
import { nodeApp } from './node-subject.ts'

const adapters = [
  ['Express 5', expressApp('Express 5')],
  ['Express 4', expressApp('Express 4')],
  ['Koa 3', koaApp('Koa 3')],
  ['Koa 2', koaApp('Koa 2')],
  ['node:http', nodeApp],
  ['Fastify', fastifyApp],
  ['Hono', honoApp],
  ['fetch', fetchApp],
] as const

/** What mounts nothing below anything: there the base path itself is longer. */
const mountless: readonly string[] = ['node:http', 'Hono', 'fetch']
/** What has a URL of a request, and no target. */
const targetless: readonly string[] = ['Hono', 'fetch']
/** What prepares no answer, or none that it would be asked for when what is thrown is no Error. */
const isPrepared = (name: string) => (failure: string) => name !== 'fetch' && (name !== 'Hono' || failure !== 'text')

describe.each(adapters)('%s', (name, createApp) => {
  describe.each(mounts)('below "$prefix", with a body parser in front: $parser', (mount) => {
    let listening: Listening
    let management: Management
    const reported: unknown[] = []
    const basePath = mountless.includes(name) ? `${mount.prefix}/management` : '/management'

    beforeAll(async () => {
      management = createSubjectManagement(basePath)
      listening = await listen(createApp(management, mount, (error) => reported.push(error)))
    })
    afterAll(async () => {
      await listening.close()
      management.close()
    })

    const subject = (): Subject => ({
      ask: askOver(listening.port),
      port: listening.port,
      at: `${mount.prefix}/management`,
      management,
      reported,
    })
    managementOverHttp(subject, { hasTargets: !targetless.includes(name) })
    metersOverHttp(subject)
    errorAnswers(subject, { isPrepared: isPrepared(name) })
  })

  describe.each(mounts.filter(({ parser }) => !parser))('guarded, below "$prefix"', (mount) => {
    let listening: Listening
    let management: Management

    beforeAll(async () => {
      management = createGuardedManagement(mountless.includes(name) ? `${mount.prefix}/management` : '/management')
      listening = await listen(createApp(management, mount, () => {}))
    })
    afterAll(async () => {
      await listening.close()
      management.close()
    })

    accessOverHttp(() => ({
      ask: askOver(listening.port),
      port: listening.port,
      at: `${mount.prefix}/management`,
      management,
      reported: [],
    }))
  })
})
