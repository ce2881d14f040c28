/** What the endpoint `console` keeps. @experimental */
export interface ConsoleOptions {
  /** The maximum size of all histories, in bytes, from 1 MiB to 256 MiB. @default 4194304 */
  readonly maximumBytes?: number | undefined
  /** How many pages may receive samples at once, 1,000 at most. @default 20 */
  readonly viewers?: number | undefined
  /** From which duration on a request is kept for longer than others, in seconds. @default 1 */
  readonly slowSeconds?: number | undefined
}

/** The shares of the histories in what the samples leave of `maximumBytes`; the samples take 150 kB. */
export const shares = { routes: 0.35, requests: 0.15, spans: 0.15, logs: 0.25, health: 0.05 } as const
