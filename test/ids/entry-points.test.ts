import * as upkeep from 'upkeep'
import * as ids from 'upkeep/ids'
import * as rest from 'upkeep/rest'
import { expect, it } from 'vitest'

const everything: Readonly<Record<string, unknown>> = upkeep

/** An ES module that imports CommonJS sees all of it as `default`, too. */
const named = Object.entries(ids).filter(([name]) => name !== 'default' && name !== 'module.exports')

it.each(named)('upkeep and upkeep/ids export the same %s', (name, value) => {
  expect(everything[name]).toBe(value)
})

it.each(Object.entries({ HttpError: rest.HttpError, isHttpError: rest.isHttpError }))(
  'upkeep and upkeep/rest export the same %s',
  (name, value) => {
    expect(everything[name]).toBe(value)
  },
)
