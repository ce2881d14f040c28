import { ping } from 'upkeep/health'
import { expect, it } from 'vitest'

it('is always UP', async () => {
  expect(await ping()(new AbortController().signal)).toBe('UP')
})
