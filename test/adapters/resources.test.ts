import { createManagement, type Management } from 'upkeep'
import { afterAll, beforeAll, describe } from 'vitest'
import { hostileBodiesOverHttp, resourcesOverHttp } from '../conformance/resources-over-http.ts'
import { type Listening, listen } from '../support/listen.ts'
import { createOrdersService } from '../support/orders-service.ts'
import { createRawClient } from '../support/raw-client.ts'
import { frameworks } from './frameworks/all.ts'

const places = [
  ['', false],
  ['', true],
  ['/ops', false],
  ['/ops', true],
] as const

let requests = 0
const nextId = () => `r-${++requests}`

for (const { name, serve, serves = ['below a prefix', 'behind a parser'] } of frameworks) {
  const possible = places.filter(
    ([prefix, parser]) =>
      (prefix === '' || serves.includes('below a prefix')) && (!parser || serves.includes('behind a parser')),
  )
  describe.each(possible)(`resources served by ${name} below "%s", parser: %s`, (prefix, parser) => {
    const service = createOrdersService()
    let management: Management
    let listening: Listening
    beforeAll(async () => {
      management = createManagement({ metrics: { runtime: false } })
      listening = await listen(serve({ resources: service.resources, management, prefix, parser, nextId }))
    })
    afterAll(async () => {
      await listening.close()
      management.close()
    })

    const subject = () => ({
      sendRequest: createRawClient(listening.port),
      at: `${prefix}/api`,
      parser,
      management,
      reported: service.reported,
    })
    resourcesOverHttp(subject)
    // A prefix does not change how content is read.
    if (prefix === '') describe('a hostile body', () => hostileBodiesOverHttp(subject))
  })
}
