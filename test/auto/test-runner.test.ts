import { hasSubscribers } from 'node:diagnostics_channel'
import { describe, expect, it } from 'vitest'

describe('upkeep/auto in a test runner', () => {
  it('subscribes to nothing', async () => {
    const isSubscribed = () =>
      ['tracing:net.server.listen:asyncStart', 'http.server.request.start'].filter((name) => hasSubscribers(name))
    expect(isSubscribed()).toEqual([])
    await import('upkeep/auto')
    expect(isSubscribed()).toEqual([])
  })
})
