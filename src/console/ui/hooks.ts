import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { formatHash, type HashRoute, type LinkParams, parseHash, type ScreenId } from './hash-route.ts'
import { type Live, readLive, subscribeLive } from './live.ts'
import { pollDelay } from './retry-delays.ts'
import { requestJson } from './session.ts'

/** Returns the live state; the component is drawn again when it changes. */
export function useLive(): Live {
  const [live, setLive] = useState(readLive)
  useEffect(() => {
    const read = () => setLive(readLive())
    // It may have changed between the first rendering and now.
    read()
    return subscribeLive(read)
  }, [])
  return live
}

/** Returns what the address selects; the component is drawn again when it changes. */
export function useRoute(): HashRoute {
  const [route, setRoute] = useState(() => parseHash(location.hash))
  useEffect(() => {
    const listener = () => setRoute(parseHash(location.hash))
    listener()
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, [])
  return route
}

/** Returns a link that keeps the selected member. */
export function linkTo(screen: ScreenId, params: LinkParams = {}): string {
  return formatHash(screen, { member: parseHash(location.hash).params.get('member'), ...params })
}

/** Returns the address of this screen for another member; empty for all. An identifier of a request is one of a member. */
export function hashOfMember(member: string): string {
  const { screen, params } = parseHash(location.hash)
  return formatHash(screen, { ...Object.fromEntries(params), id: undefined, member })
}

/** Goes to a screen; `replace` changes the address without an entry in the history, as for each letter of a filter. */
export function navigate(hash: string, mode: 'push' | 'replace' = 'push'): void {
  if (mode === 'push') location.hash = hash
  else {
    history.replaceState(null, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }
}

/** A document of the service, and how its latest request ended. */
export interface Loaded<Document> {
  readonly data: Document | undefined
  readonly error: Error | undefined
  /** Whether a request that the user asked for is in progress. */
  readonly isLoading: boolean
  readonly reload: () => void
}

/**
 * Reads a document, and again after each interval while the page is visible: less often while that fails. Another path
 * begins anew; an undefined one is not read.
 *
 * @param seconds 0 reads it once
 * @param reloadPath what `reload` requests
 */
export function useDocument<Document>(
  path: string | undefined,
  seconds: number,
  reloadPath: string | undefined = path,
): Loaded<Document> {
  const [state, setState] = useState<{ readonly path?: string | undefined; data?: Document; error?: Error }>({})
  const [isLoading, setLoading] = useState(false)
  const load = useRef<() => void>(() => {})
  useEffect(() => {
    if (path === undefined) return
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let failures = 0
    const read = async (requested = path) => {
      clearTimeout(timer)
      let failure: unknown
      if (document.visibilityState === 'visible') {
        try {
          const data = (await requestJson(requested, controller.signal)) as Document
          if (!controller.signal.aborted) setState({ path, data })
          failures = 0
        } catch (error) {
          if (controller.signal.aborted) return
          failure = error
          failures += 1
          setState((before) => ({ ...(before.path === path && before), path, error: error as Error }))
        }
        setLoading(false)
      }
      if (seconds === 0 || controller.signal.aborted) return
      timer = setTimeout(() => void read(), pollDelay(seconds * 1_000, failures, failure))
    }
    load.current = () => {
      setLoading(true)
      void read(reloadPath)
    }
    void read()
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [path, seconds, reloadPath])
  const reload = useCallback(() => load.current(), [])
  const isCurrent = state.path === path
  return { data: isCurrent ? state.data : undefined, error: isCurrent ? state.error : undefined, isLoading, reload }
}

/** Returns a function that draws the component again after each interval, and the time of the service then. */
export function useInterval(run: () => void, milliseconds: number): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const timer = setInterval(() => latest.current(), milliseconds)
    return () => clearInterval(timer)
  }, [milliseconds])
}
