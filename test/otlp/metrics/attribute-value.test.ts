import { expect, it } from 'vitest'
import { attributeValue } from '../../../src/otlp/encoding/slice-tags.ts'

it.each([
  ['http.response.status_code', '200', 200],
  ['server.port', '5432', 5432],
  ['server.port', '', ''],
  ['server.port', '12 apples', '12 apples'],
  ['server.port', '99999999999999999999', '99999999999999999999'],
  ['db.response.status_code', '42601', '42601'],
  ['status', '200', '200'],
  ['http.route', '/orders/{id}', '/orders/{id}'],
])('the tag %s=%j is exported as %j', (key, value, expected) => {
  expect(attributeValue(key, value)).toBe(expected)
})
