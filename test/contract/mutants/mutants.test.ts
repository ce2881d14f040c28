import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type ConformingServer, startConformingServer } from '../support/conforming-server.ts'
import { startMutant } from './mutant-server.ts'
import { mutants } from './mutants.ts'

let right: ConformingServer
beforeAll(async () => {
  right = await startConformingServer()
})
afterAll(() => right.close())

describe('a faulty server', () => {
  it.each(mutants)('fails %s: %s', async (id, _broken, fault) => {
    const { port, close } = await startMutant(right.port, fault)
    onTestFinished(close)
    const [one, ...others] = contract({
      ...right.options,
      patience: '100ms',
      timeout: '500ms',
      baseUrl: `http://127.0.0.1:${port}`,
      only: [id],
    })
    expect(others).toEqual([])
    expect((await one?.check())?.kind).toBe('broken')
  })
})

describe('a case about diagnostics', () => {
  const ids = contract({ baseUrl: 'http://127.0.0.1', only: ['diagnostics'] }).map(({ id }) => id)

  it.each(ids)('%s is failed by a faulty server', (id) => {
    expect(mutants.map(([broken]) => broken)).toContain(id)
  })
})

describe('a server that only forwards', () => {
  const caught = [...new Set(mutants.map(([id]) => id))].filter((id) => id !== 'conventions.get.connection')
  let forwarder: Awaited<ReturnType<typeof startMutant>>
  beforeAll(async () => {
    forwarder = await startMutant(right.port, {})
  })
  afterAll(() => forwarder.close())

  it.each(caught)('passes %s', async (id) => {
    const [one] = contract({ ...right.options, baseUrl: `http://127.0.0.1:${forwarder.port}`, only: [id] })
    expect(await one?.check()).toEqual({ kind: 'held' })
  })
})
