import { useEffect } from 'preact/hooks'
import { pollDelay } from './retry-delays.ts'

/**
 * Runs a request again and again while a component is shown and the page is visible: less often while it fails. What it
 * fails with is shown by others.
 */
export function useRefresh(run: (signal: AbortSignal) => Promise<void>, seconds: number): void {
  useEffect(() => {
    const controller = new AbortController()
    let failures = 0
    let timer: ReturnType<typeof setTimeout>
    const schedule = (failure?: unknown) => {
      if (controller.signal.aborted) return
      timer = setTimeout(runOnce, pollDelay(seconds * 1_000, failures, failure))
    }
    const runOnce = () => {
      if (document.visibilityState !== 'visible') return schedule()
      run(controller.signal).then(
        () => {
          failures = 0
          schedule()
        },
        (error) => {
          failures += 1
          schedule(error)
        },
      )
    }
    schedule()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [run, seconds])
}
