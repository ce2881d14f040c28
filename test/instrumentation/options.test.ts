import { createManagement } from 'upkeep'
import { manage, observe } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { requestCounts } from '../support/request-counts.ts'

describe('observation.managementRequests', () => {
  it.each([
    ['/ops', '/ops/health', '/ops/**'],
    ['/', '/health', '/**'],
  ])('determines whether requests below %s are counted, under one uri', async (basePath, target, uri) => {
    const management = createManagement({ basePath, observation: { managementRequests: true } })
    const [observed, managed] = [observe(management), manage(management)]
    const { port, close } = await listen((req, res) => observed(req, res, () => managed(req, res)))
    onTestFinished(close)
    await createRawClient(port)({ target })
    await createRawClient(port)({ target: '/elsewhere' })
    await expect
      .poll(() => [...requestCounts(management.meters)])
      .toEqual([
        [`${uri} GET 200 SUCCESS none`, 1],
        ['NOT_FOUND GET 404 CLIENT_ERROR none', 1],
      ])
  })

  it.each([
    [
      { observation: { managementRequests: 'yes' } },
      'observation.managementRequests: expected true or false, received "yes"',
    ],
    [{ observation: { trace: true } }, 'unknown option "observation.trace"; expected managementRequests, redactPath'],
    [{ metrics: { sources: {} } }, 'metrics.sources: expected an array of sources of meters, received an object'],
    [{ metrics: { sources: [7] } }, 'metrics.sources[0]: expected a source of meters, received 7'],
  ])('rejects %j', (options, message) => {
    expect(() => createManagement(options as never)).toThrow(new TypeError(`createManagement: ${message}`))
  })
})
