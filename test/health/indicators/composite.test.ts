import { composite, ping } from 'upkeep/health'
import { expect, it } from 'vitest'

it('is made of its indicators, which may be made of others', () => {
  const [one, other] = [ping(), ping()]

  expect(composite({ one, more: composite({ other }) })).toEqual({
    indicators: { one, more: { indicators: { other } } },
  })
})
