import { isUuid, requestId } from 'upkeep/ids'
import { expect, it } from 'vitest'

it.each([
  '1',
  'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  'Root=1-67891233-abcdef',
  '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~',
  'x'.repeat(128),
])('accepts %j', (incoming) => {
  expect(requestId(incoming)).toBe(incoming)
})

it.each([
  ['is absent', undefined],
  ['is empty', ''],
  ['is too long', 'x'.repeat(129)],
  ['has a space in it', 'a b'],
  ['came twice, joined', 'a, b'],
  ['came twice, apart', ['a', 'b']],
  ['has a newline in it', 'a\nb'],
  ['has a newline after it', 'a\n'],
  ['has a control character in it', 'a\u001b[31m'],
  ['has a delete in it', 'a\u007f'],
  ['is not ASCII', 'é'],
])('creates a UUID of version 7 if the field %s', (_, incoming) => {
  const id = requestId(incoming)
  expect(isUuid(id, 7)).toBe(true)
  expect(requestId(incoming)).not.toBe(id)
})

it('has a configurable maximum length and generator', () => {
  const options = { longest: 3, generate: () => 'made' }
  expect(requestId('abc', options)).toBe('abc')
  expect(requestId('abcd', options)).toBe('made')
})
