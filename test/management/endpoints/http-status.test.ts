import { describe, expect, it } from 'vitest'
import { createHttpStatus } from '../../../src/management/endpoints/http-status.ts'

describe('createHttpStatus', () => {
  it.each([
    ['UP', 200],
    ['UNKNOWN', 200],
    ['DEGRADED', 200],
    ['DOWN', 503],
    ['OUT_OF_SERVICE', 503],
    ['out-of-service', 503],
    ['down', 503],
    ['constructor', 200],
  ])('of %s is %i', (status, code) => {
    expect(createHttpStatus()(status)).toBe(code)
  })

  it.each([
    ['DOWN', 500],
    ['DEGRADED', 429],
    ['degraded', 429],
    ['OUT_OF_SERVICE', 200],
  ])('of %s with a configured mapping, which replaces the default, is %i', (status, code) => {
    expect(createHttpStatus({ down: 500, DEGRADED: 429 })(status)).toBe(code)
  })
})
