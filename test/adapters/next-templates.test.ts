import { expect, it } from 'vitest'
import { management as managementOnEdge, manage as manageOnEdge } from '../../adapters/next/edge.ts'
import { nextRouteTemplate } from '../../adapters/next/route-template.ts'

const meta = Symbol.for('NextInternalRequestMeta')

it.each([
  [{ definition: { pathname: '/orders/[id]' } }, '/orders/[id]'],
  [{ definition: { pathname: '/' } }, '/'],
  [{ definition: { pathname: '/_not-found' } }, undefined],
  [{ definition: { pathname: '/_error' } }, undefined],
  [{ definition: { pathname: 5 } }, undefined],
  [{ definition: undefined }, undefined],
  [undefined, undefined],
])('the match %j has the template %s', (match, template) => {
  expect(nextRouteTemplate({ [meta]: { match } })).toBe(template)
})

it('requests of other servers have no template', () => {
  expect(nextRouteTemplate({})).toBeUndefined()
})

it('names what the edge runtime cannot do', async () => {
  expect(() => managementOnEdge()).toThrow(/^upkeep\/next: not available in the edge runtime/)
  const response = await manageOnEdge().GET(new Request('http://localhost/management'))
  expect(response.status).toBe(501)
})
