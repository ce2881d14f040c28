import { eventLoop } from 'upkeep/health'
import { describe, expect, it } from 'vitest'

const never = new AbortController().signal
const patience = { timeout: 180_000, interval: 60 }

describe('eventLoop', () => {
  it("detects that this thread's loop is repeatedly blocked, and free again", async () => {
    const indicator = eventLoop({ maxDelay: '100ms', maxUtilization: 1, window: '0ms' })
    const blocking = setInterval(blockFor, 10, 300)
    try {
      await expect
        .poll(() => indicator(never), patience)
        .toMatchObject({
          status: 'DOWN',
          details: { longestDelay: expect.stringMatching(/^\d{3,}(\.\d+)?ms$/) },
        })
    } finally {
      clearInterval(blocking)
    }

    await expect.poll(() => indicator(never), patience).toMatchObject({ status: 'UP' })
  })

  it("detects that this thread's loop is busy, and idle again", async () => {
    const indicator = eventLoop({ maxUtilization: 0.5, maxDelay: '1h', window: '0ms' })
    const blocking = setInterval(blockFor, 10, 100)
    try {
      await expect.poll(() => indicator(never), patience).toMatchObject({ status: 'DOWN' })
    } finally {
      clearInterval(blocking)
    }

    await expect.poll(() => indicator(never), patience).toMatchObject({ status: 'UP' })
  })
})

function blockFor(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end) {}
}
