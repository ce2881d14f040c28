import { expect, it } from 'vitest'
import { ping } from '../../src/indicators/ping.ts'

it('is always up', async () => {
  expect(await ping()(new AbortController().signal)).toBe('UP')
})
