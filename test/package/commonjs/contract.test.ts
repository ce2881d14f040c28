import { adapterConformance, contract, contractAreas } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startNode } from '../../adapters/frameworks/node.ts'
import { type ConformingServer, startConformingServer } from '../../contract/support/conforming-server.ts'

describe('the adapter kit, with node:http', () => {
  for (const { title, run } of adapterConformance({ start: startNode })) it(title, run)
})

describe('a service that satisfies the whole contract', () => {
  let server: ConformingServer
  beforeAll(async () => {
    server = await startConformingServer()
  })
  afterAll(() => server.close())

  it.each(contractAreas)('in the area %s', async (area) => {
    const { options, port } = server
    const broken: unknown[] = []
    for (const { id, check } of contract({ ...options, baseUrl: `http://127.0.0.1:${port}`, only: [area] })) {
      const outcome = await check()
      if (outcome.kind === 'broken') broken.push([id, outcome])
    }
    expect(broken).toEqual([])
  })
})
