import { vi } from 'vitest'

const { setTimeout: wait } = globalThis

/**
 * Lets time pass for the timers of the product until a promise is settled. Between two steps of a tenth of a second
 * this process reads and writes its sockets, so that an exchange with a server in it ends within few steps, on any
 * machine.
 */
export async function passTimeUntil<T>(settled: Promise<T>): Promise<T> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  settled.then(end, end)
  while (!isOver) {
    await new Promise((resolve) => void wait(resolve, 1))
    if (!isOver) await vi.advanceTimersByTimeAsync(100)
  }
  return settled
}
