/** Waits for work that never rejects. Returns whether it settled before the timeout and before `signal` was aborted. */
export function settlesWithin(work: Promise<unknown>, milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(false)
    const late = () => end(false)
    const timer = setTimeout(late, milliseconds)
    signal?.addEventListener('abort', late)
    void work.then(() => end(true))
    function end(isDone: boolean): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', late)
      resolve(isDone)
    }
  })
}
