import { contract } from 'upkeep/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { withRequest } from './mutants/faults.ts'
import { type Fault, startMutant } from './mutants/mutant-server.ts'
import { type ConformingServer, startConformingServer } from './support/conforming-server.ts'

let right: ConformingServer
beforeAll(async () => {
  right = await startConformingServer()
})
afterAll(() => right.close())

const reason = 'the server makes a URL of a target'
const ids = ['dot', 'dots', 'encoded-dots'].map((name) => `conventions.paths.${name}`)

async function outcomes(fault: Fault, unsupported?: { readonly rawTargets: string }) {
  const { port, close } = await startMutant(right.port, fault)
  onTestFinished(close)
  const cases = contract({ ...right.options, baseUrl: `http://127.0.0.1:${port}`, only: ids, unsupported })
  return Promise.all(cases.map(async (one) => [one.id, (await one.check()).kind]))
}

const resolving = withRequest(({ target }) => ({ target: new URL(target, 'http://a').pathname }))
const isDotted = (target: string) => /\.\/|%2e/.test(target)
const all = (kind: string) => ids.map((id) => [id, kind])

describe('cases about dot segments with rawTargets unsupported', () => {
  it('are skipped if the server resolves them as a URL does', async () => {
    expect(await outcomes(resolving, { rawTargets: reason })).toEqual(all('skipped'))
    expect(await outcomes(resolving)).toEqual(all('broken'))
  })

  it('hold if dot segments lead nowhere', async () => {
    expect(await outcomes({}, { rawTargets: reason })).toEqual(all('held'))
  })

  it('include the given reason', async () => {
    const { port, close } = await startMutant(right.port, resolving)
    onTestFinished(close)
    const unsupported = { rawTargets: reason }
    const [one] = contract({
      ...right.options,
      baseUrl: `http://127.0.0.1:${port}`,
      only: [ids[0] as string],
      unsupported,
    })
    expect(await one?.check()).toEqual({ kind: 'skipped', reason })
  })

  it('are broken if dot segments lead elsewhere', async () => {
    const toInfo = withRequest(({ target }) => ({ target: isDotted(target) ? '/management/info' : target }))
    expect(await outcomes(toInfo, { rawTargets: reason })).toEqual(all('broken'))
    const toOrders = withRequest(({ target }) => ({ target: isDotted(target) ? '/orders/1' : target }))
    expect(await outcomes(toOrders, { rawTargets: reason })).toEqual(all('broken'))
  })
})

describe('the option unsupported', () => {
  it('accepts only known abilities, each with a reason', () => {
    const baseUrl = 'http://127.0.0.1:1'
    expect(() => contract({ baseUrl, unsupported: { rawTargets: '' } })).toThrow(
      'unsupported.rawTargets: expected a non-empty reason',
    )
    expect(() => contract({ baseUrl, unsupported: { targets: 'x' } as never })).toThrow(
      `expected rawTargets, received "targets"`,
    )
  })
})
