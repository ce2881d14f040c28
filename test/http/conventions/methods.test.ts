import { describe, expect, it } from 'vitest'
import { allowedMethods, operationOf } from '../../../src/http/conventions/methods.ts'

const handling = () => undefined
const resources = {
  nothing: {},
  readable: { get: handling },
  collection: { get: handling, post: handling },
  document: { get: handling, put: handling, patch: handling, delete: handling },
  controller: { post: handling },
}

describe('allowedMethods', () => {
  it.each([
    ['nothing', 'OPTIONS'],
    ['readable', 'GET, HEAD, OPTIONS'],
    ['collection', 'GET, HEAD, POST, OPTIONS'],
    ['document', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
    ['controller', 'POST, OPTIONS'],
  ] as const)('of %s are %s', (name, allow) => {
    expect(allowedMethods(resources[name])).toBe(allow)
  })
})

describe('operationOf', () => {
  it.each([
    ['GET', 'document', { kind: 'read', perform: handling }],
    ['HEAD', 'document', { kind: 'read', perform: handling }],
    ['PUT', 'document', { kind: 'write', perform: handling }],
    ['PATCH', 'document', { kind: 'write', perform: handling }],
    ['DELETE', 'document', { kind: 'write', perform: handling }],
    ['POST', 'collection', { kind: 'write', perform: handling }],
    ['OPTIONS', 'document', { kind: 'options' }],
    ['OPTIONS', 'nothing', { kind: 'options' }],
  ] as const)('of %s on a %s is %j', (method, name, operation) => {
    expect(operationOf(resources[name], method)).toEqual(operation)
  })

  it.each([
    ['POST', 'readable', 'GET, HEAD, OPTIONS'],
    ['GET', 'controller', 'POST, OPTIONS'],
    ['HEAD', 'controller', 'POST, OPTIONS'],
    ['TRACE', 'readable', 'GET, HEAD, OPTIONS'],
    ['CONNECT', 'readable', 'GET, HEAD, OPTIONS'],
    ['QUERY', 'readable', 'GET, HEAD, OPTIONS'],
    ['get', 'readable', 'GET, HEAD, OPTIONS'],
    ['constructor', 'readable', 'GET, HEAD, OPTIONS'],
    ['', 'nothing', 'OPTIONS'],
  ] as const)('refuses %s on a %s resource', (method, name, allow) => {
    expect(() => operationOf(resources[name], method)).toThrow(
      expect.objectContaining({
        status: 405,
        headers: { Allow: allow },
        message: `Method not allowed; use ${allow.replace(/, (\w+)$/, ' or $1')}.`,
      }),
    )
  })
})
