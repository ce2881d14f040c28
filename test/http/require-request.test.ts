import { createManagement } from 'upkeep'
import { errorResponse, handleError, type ManagementRequest, notFoundResponse, respondToError } from 'upkeep/adapter'
import { createResources } from 'upkeep/rest'
import { describe, expect, it } from 'vitest'
import { requestWith } from '../support/management-request.ts'

const { probes } = createManagement()
const management = createManagement()
const resources = createResources({ resources: [] })

describe.each<readonly [string, string, (request: ManagementRequest) => unknown]>([
  ['a management', 'management', management],
  ['its probes', 'management', probes],
  ['resources', 'management', resources],
  ['errorResponse', 'errorResponse', (request) => errorResponse(new Error('failed'), request)],
  ['notFoundResponse', 'errorResponse', notFoundResponse],
  [
    'respondToError',
    'errorResponse',
    (request) =>
      respondToError(
        new Error('failed'),
        request,
        () => {},
        () => {},
      ),
  ],
  [
    'handleError',
    'handleError',
    (request) =>
      handleError(new Error('failed'), request, { message: new Request('http://a/'), report() {}, send() {} }),
  ],
])('%s', (_, caller, call) => {
  it.each([
    ['method', undefined, 'the method of the request, such as "GET", received undefined'],
    ['target', 5, 'the target of the request as received, such as "/health?a=b", received a number'],
    ['headers', null, 'an object of header fields by lower-case name, received undefined'],
    ['base', undefined, 'what precedes the target in a link, or "", received undefined'],
    ['body', 'text', 'a function that returns the body, received a string'],
  ])('throws a TypeError for a request whose %s is %j', (member, value, expected) => {
    const request = { ...requestWith({}), [member]: value } as never
    expect(() => call(request)).toThrow(new TypeError(`${caller}: request.${member}: expected ${expected}`))
  })

  it.each([
    [undefined, 'undefined'],
    [null, 'null'],
    ['/health', 'a string'],
  ])('throws a TypeError for %j in place of a request', (request, received) => {
    const message = `${caller}: request: expected an object, received ${received}`
    expect(() => call(request as never)).toThrow(new TypeError(message))
  })
})
