import { expect, it } from 'vitest'
import { tellsOfCreated } from '../../../src/instrumentation/http-client/node-http.ts'

it.each([
  ['20.20.2', false],
  ['22.11.0', false],
  ['22.12.0', true],
  ['23.1.0', false],
  ['23.2.0', true],
  ['24.0.0', true],
  ['26.10.0', true],
])('the channel http.client.request.created precedes the headers on Node %s: %s', (version, tells) => {
  expect(tellsOfCreated(version)).toBe(tells)
})
