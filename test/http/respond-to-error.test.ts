import { describe, expect, it, vi } from 'vitest'
import { HttpError } from '../../src/http/errors/http-error.ts'
import { isAbandoned, respondToError } from '../../src/http/respond-to-error.ts'
import { requestWith } from '../support/management-request.ts'

const connected = { ...requestWith({}), signal: new AbortController().signal }
const disconnected = { ...requestWith({}), signal: AbortSignal.abort() }
const abort = new DOMException('The operation was aborted.', 'AbortError')

describe('isAbandoned', () => {
  it.each([
    ['an operation that was aborted after the client disconnected', abort, disconnected, true],
    ['an operation that was aborted while the client is there', abort, connected, false],
    ['an operation that was aborted, of a client that is not watched', abort, requestWith({}), false],
    ['a failure after the client disconnected', new Error('no directory'), disconnected, false],
    ['an object that is no error', { name: 'AbortError' }, disconnected, false],
    ['null', null, disconnected, false],
  ])('of %s is decided', (_, error, request, expected) => {
    expect(isAbandoned(error, request)).toBe(expected)
  })
})

describe('respondToError', () => {
  const failure = new Error('no directory')
  const status = (response: { status: number }) => response.status

  it('reports a failure of the service, with its path and without its query', () => {
    const report = vi.fn()
    const request = { ...connected, base: 'https://orders.example/ops', target: '/a?token=secret' }
    expect(respondToError(failure, request, report, status)).toBe(500)
    expect(respondToError(failure, request, report, status, '/b')).toBe(500)
    expect(report.mock.calls).toEqual([
      ['GET /ops/a failed', failure],
      ['GET /ops/b failed', failure],
    ])
  })

  it.each([
    ['an error of the client', new HttpError(499, 'No.'), connected, 499],
    ['an abort after the client disconnected', abort, disconnected, 500],
  ])('does not report %s', (_, error, request, expected) => {
    const report = vi.fn()
    expect(respondToError(error, request, report, status)).toBe(expected)
    expect(report).not.toHaveBeenCalled()
  })

  it('reports an abort while the client is there', () => {
    const report = vi.fn()
    respondToError(abort, connected, report, status)
    expect(report.mock.calls).toEqual([['GET /management/health failed', abort]])
  })

  it('reports although the response cannot be sent, and ignores a report that fails', () => {
    const report = vi.fn(() => {
      throw new Error('no log')
    })
    const send = () => {
      throw new Error('closed')
    }
    expect(() => respondToError(failure, connected, report, send)).toThrow('closed')
    expect(report).toHaveBeenCalledTimes(1)
  })
})
