import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  backoffMilliseconds,
  createAttempt,
  deliveryFailure,
  isSuccess,
  isWorthRepeating,
  recordResponse,
} from '../../../src/otlp/delivery/attempt.ts'

function answered(statusCode: number, retryAfter?: string) {
  const response = new IncomingMessage(new Socket())
  response.statusCode = statusCode
  if (retryAfter !== undefined) response.headers['retry-after'] = retryAfter
  const attempt = createAttempt()
  recordResponse(attempt, response, Date.UTC(2026, 0, 1), [])
  return attempt
}

describe('an attempt', () => {
  it.each([
    [200, true, false],
    [202, true, false],
    [302, false, false],
    [400, false, false],
    [429, false, true],
    [500, false, false],
    [502, false, true],
    [503, false, true],
    [504, false, true],
  ])('with status %i: success %s, retryable %s', (status, success, repeating) => {
    const attempt = answered(status)
    expect([isSuccess(attempt), isWorthRepeating(attempt)]).toEqual([success, repeating])
  })

  it.each([
    ['ECONNREFUSED', true],
    ['ECONNRESET', true],
    ['ENOTFOUND', true],
    ['CERT_HAS_EXPIRED', false],
    ['TIMEOUT', false],
    ['ABORTED', false],
    [undefined, false],
  ])('without a response, because of %s, is retryable: %s', (errorCode, repeating) => {
    expect(isWorthRepeating({ ...createAttempt(), errorCode })).toBe(repeating)
  })

  it.each([
    [undefined, undefined],
    ['0', 0],
    ['120', 120_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['2026', 2_026_000],
  ])('parses Retry-After: %s', (text, milliseconds) => {
    expect(answered(503, text).retryAfterMilliseconds).toBe(milliseconds)
  })
})

describe('backoffMilliseconds', () => {
  it.each([
    [0, 0, 800],
    [0, 1, 1_200],
    [1, 0.5, 1_500],
    [2, 0.5, 2_250],
    [9, 1, 6_000],
  ])('of retry %i at random %d is %i ms', (repetition, random, milliseconds) => {
    expect(backoffMilliseconds(repetition, random)).toBeCloseTo(milliseconds)
  })
})

describe('the failure of a delivery', () => {
  it('has a code, and the error of an attempt without one as its cause', () => {
    const cause = new TypeError('Invalid character in header content ["a"]')
    const failed = deliveryFailure({ ...createAttempt(), cause })
    expect(failed).toMatchObject({ code: 'UPKEEP_EDELIVERY', message: cause.message })
    expect(failed.cause).toBe(cause)
    expect(deliveryFailure({ ...createAttempt(), status: 500 })).not.toHaveProperty('cause')
  })

  it('is in one line, with one space for each part of the text that is blank', () => {
    const cause = new Error('bad\r\n  \tcertificate')
    expect(deliveryFailure({ ...createAttempt(), cause }).message).toBe('bad certificate')
  })
})
