import { type ContractCase, type ContractOptions, contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../support/listen.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'
import { startFakeActuator } from './support/fake-actuator.ts'

let actuator: Listening
let right: ConformingServer
/** The cases of each server, by their ids. */
let ofActuator: ReadonlyMap<string, ContractCase>
let ofRight: ReadonlyMap<string, ContractCase>
beforeAll(async () => {
  actuator = await startFakeActuator()
  right = await startConformingServer()
  const springCases = (options: ContractOptions) =>
    new Map(contract({ ...options, profile: 'spring' }).map((each) => [each.id, each]))
  ofActuator = springCases({ baseUrl: `http://127.0.0.1:${actuator.port}`, route: '/orders', patience: '500ms' })
  ofRight = springCases({ ...right.options, baseUrl: `http://127.0.0.1:${right.port}`, basePath: '/management' })
})
afterAll(async () => {
  await actuator.close()
  await right.close()
})

describe('the spring profile', () => {
  const shared = contract({ baseUrl: 'http://127.0.0.1', profile: 'spring' })

  const titles = shared.map(({ id, rule }) => [id, rule] as const)

  it.each(titles)('holds for an actuator: %s: %s', async (id) => {
    expect((await ofActuator.get(id)?.check())?.kind).toMatch(/^(held|skipped)$/)
  })

  it.each(titles)('also holds for a service with the whole interface: %s: %s', async (id) => {
    expect((await ofRight.get(id)?.check())?.kind).toMatch(/^(held|skipped)$/)
  })

  it('omits the rules that only upkeep has', () => {
    const ids = shared.map(({ id }) => id)
    expect(ids).not.toContain('conventions.errors.media-type')
    expect(ids).not.toContain('conventions.fields.one')
    expect(ids).toContain('health.drill-down.unknown-404')
  })
})
