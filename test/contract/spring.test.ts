import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../support/listen.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'
import { startFakeActuator } from './support/fake-actuator.ts'

let actuator: Listening
let right: ConformingServer
beforeAll(async () => {
  actuator = await startFakeActuator()
  right = await startConformingServer()
})
afterAll(async () => {
  await actuator.close()
  await right.close()
})

describe('the spring profile', () => {
  const shared = contract({ baseUrl: 'http://127.0.0.1', profile: 'spring' })

  it.each(shared.map(({ id, rule }) => [id, rule]))('holds for an actuator: %s: %s', async (id) => {
    const baseUrl = `http://127.0.0.1:${actuator.port}`
    const [one] = contract({ baseUrl, profile: 'spring', route: '/orders', only: [id as string], patience: '500ms' })
    expect((await one?.check())?.kind).not.toBe('broken')
  })

  it.each(shared.map(({ id, rule }) => [id, rule]))(
    'also holds for a service with the whole interface: %s: %s',
    async (id) => {
      const options = { ...right.options, baseUrl: `http://127.0.0.1:${right.port}`, basePath: '/management' }
      const [one] = contract({ ...options, profile: 'spring', only: [id as string] })
      expect((await one?.check())?.kind).not.toBe('broken')
    },
  )

  it('omits the rules that only upkeep has', () => {
    const ids = shared.map(({ id }) => id)
    expect(ids).not.toContain('conventions.errors.media-type')
    expect(ids).not.toContain('conventions.fields.one')
    expect(ids).toContain('health.drill-down.unknown-404')
  })
})
