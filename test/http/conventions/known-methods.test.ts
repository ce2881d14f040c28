import { expect, it } from 'vitest'
import { isKnownMethod } from '../../../src/http/conventions/known-methods.ts'

it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])(
  '%s is a known method',
  (method) => expect(isKnownMethod(method)).toBe(true),
)

it.each(['', 'get', 'BREW', 'GET ', 'constructor'])('%j is no known method', (method) => {
  expect(isKnownMethod(method)).toBe(false)
})
