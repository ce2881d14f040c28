/** Rejects with a `TimeoutError` that names `what` if it does not settle in time. The timer does not keep the process alive. */
export async function withDeadline<T>(work: PromiseLike<T>, milliseconds: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const reason = new DOMException(`${what} did not settle within ${milliseconds} ms`, 'TimeoutError')
    timer = setTimeout(reject, milliseconds, reason)
    timer.unref?.()
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
