import { composite, ping } from 'upkeep/health'
import { expect, it } from 'vitest'

it('consists of indicators, which may consist of others', () => {
  const [one, other] = [ping(), ping()]

  expect(composite({ one, more: composite({ other }) })).toEqual({
    indicators: { one, more: { indicators: { other } } },
  })
})
