import * as upkeep from 'upkeep'
import * as rest from 'upkeep/rest'
import { expect, it } from 'vitest'

it('upkeep and upkeep/rest export the same HttpError', () => {
  expect(rest.HttpError).toBe(upkeep.HttpError)
  expect(rest.isHttpError).toBe(upkeep.isHttpError)
})
