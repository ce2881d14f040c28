import { expect, it } from 'vitest'
import { isOlder } from '../../../src/otlp/official/peers.ts'

it.each([
  ['1.30.1', '2.0.0', true],
  ['2.0.0', '2.0.0', false],
  ['2.11.0', '2.0.0', false],
  ['0.57.2', '0.204.0', true],
  ['0.204.0', '0.204.0', false],
  ['0.301.0', '0.204.0', false],
  ['3.1.0', '2.0.0', false],
  ['2.0.0-dev.1', '2.0.0', false],
])('isOlder returns whether %s is older than %s: %s', (version, than, older) => {
  expect(isOlder(version, than)).toBe(older)
})
