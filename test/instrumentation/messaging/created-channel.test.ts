import { expect, it } from 'vitest'
import { publishesCreatedRequests } from '../../../src/instrumentation/http-client/node-http.ts'

it.each([
  ['20.20.2', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.1.0', false],
  ['23.2.0', true],
  ['24.0.0', true],
  ['26.10.0', true],
])('publishesCreatedRequests returns for Node %s: %s', (version, tells) => {
  expect(publishesCreatedRequests(version)).toBe(tells)
})
