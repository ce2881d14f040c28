import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** The result of a load. */
export interface LoadResult {
  readonly succeeded: number
  /** Connection errors, timeouts, responses other than 2xx, and connections that were closed before a response. */
  readonly failed: Readonly<Record<'errors' | 'timeouts' | 'others' | 'resets', number>>
}

const connections = 10

/** Starts load on a URL over ten persistent connections, with so many requests a second at most. */
export function startLoad(url: string, { method = 'GET', rate = 300 } = {}): { stop(): Promise<LoadResult> } {
  const counts = { succeeded: 0, errors: 0, timeouts: 0, others: 0, resets: 0 }
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let isStopped = false
  const client = async () => {
    while (!isStopped) {
      const [outcome] = await Promise.all([send(url, method, agent), wait((connections * 1_000) / rate)])
      counts[outcome] += 1
    }
  }
  const clients = Promise.all(Array.from({ length: connections }, client))
  return {
    async stop() {
      isStopped = true
      await clients
      agent.destroy()
      const { succeeded, ...failed } = counts
      return { succeeded, failed }
    },
  }
}

function send(url: string, method: string, agent: Agent): Promise<'succeeded' | keyof LoadResult['failed']> {
  return new Promise((resolve) => {
    const req = request(url, { method, agent, timeout: 60_000 }, (res) => {
      const { statusCode = 0 } = res
      const isSuccess = statusCode >= 200 && statusCode < 300
      res.on('end', () => resolve(isSuccess ? 'succeeded' : 'others')).on('error', () => resolve('resets'))
      res.resume()
    })
    req.on('timeout', () => {
      resolve('timeouts')
      req.destroy()
    })
    req.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNRESET' ? 'resets' : 'errors'))
    req.end()
  })
}
