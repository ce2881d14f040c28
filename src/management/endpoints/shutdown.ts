import { HttpError } from '../../http/errors/http-error.ts'
import type { Endpoint } from './endpoint.ts'
import { describeJson, json, objectSchema, stringSchema } from './json-representation.ts'

/** The shutdowns that the endpoint `shutdown` can start. */
export interface ShutdownRequests {
  /** Registers a function that starts a shutdown. Returns a function that removes it. */
  onShutdownRequest(start: (reason: string) => unknown): () => void
  /** Starts all shutdowns. Returns whether there was one. */
  request(reason: string): boolean
}

export function createShutdownRequests(): ShutdownRequests {
  const starts = new Set<{ readonly start: (reason: string) => unknown }>()
  return {
    onShutdownRequest(start) {
      const entry = { start }
      starts.add(entry)
      return () => void starts.delete(entry)
    },
    request(reason) {
      for (const { start } of starts) start(reason)
      return starts.size > 0
    },
  }
}

/** `shutdown`: an authorized caller starts the graceful shutdown of `shutdownGracefully` by POST. */
export function shutdownEndpoint({ request }: Pick<ShutdownRequests, 'request'>): Endpoint {
  const post = () => {
    if (request('requested by POST shutdown')) return json({ message: 'Shutting down, bye...' }, 'no-store')
    throw new HttpError(501, 'The application has no graceful shutdown; it does not call shutdownGracefully.')
  }
  const summary = 'Shuts down the application gracefully.'
  const content = describeJson(objectSchema({ message: stringSchema }))
  const responses = [
    { status: 200, description: 'The shutdown has begun.', content },
    { status: 501, description: 'The application has no graceful shutdown.' },
  ]
  return {
    id: 'shutdown',
    routes: [{ path: 'shutdown', resource: { access: 'authorized', post } }],
    describe: () => ({ shutdown: { POST: { summary, responses } } }),
  }
}
