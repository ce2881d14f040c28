import { expect, it } from 'vitest'
import { composite } from '../../src/indicators/composite.ts'
import { ping } from '../../src/indicators/ping.ts'

it('is made of its indicators, which may be made of others', () => {
  const [one, other] = [ping(), ping()]

  expect(composite({ one, more: composite({ other }) })).toEqual({
    indicators: { one, more: { indicators: { other } } },
  })
})
