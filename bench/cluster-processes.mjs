// Starts the processes of cluster.mjs, and asks them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'

/** Starts a module of this folder as a process, and waits for its first message. */
export async function start(module, args, env = {}) {
  const child = fork(new URL(module, import.meta.url), args, { env: { ...process.env, ...env } })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`${module} ended with ${code}`)))
  ended.catch(() => {})
  const [ready] = await Promise.race([once(child, 'message'), ended])
  return {
    ...ready,
    /** Sends a message, and returns the response to it. */
    async ask(message) {
      child.send(message)
      return (await once(child, 'message'))[0]
    },
    /** Ends a process that has processes of its own. */
    async stop() {
      child.send('stop')
      await once(child, 'exit')
    },
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

export const agent = () => new Agent({ keepAlive: true })

/** Returns the status and text of a response; rejects after `timeout` milliseconds. */
export function request(port, path, { agent, timeout = 10_000 } = {}) {
  const { promise, resolve, reject } = withResolvers()
  const sent = httpRequest(
    { host: '127.0.0.1', port, path, agent, signal: AbortSignal.timeout(timeout) },
    (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }))
      response.on('error', reject)
    },
  )
  sent.on('error', reject)
  sent.end()
  return promise
}

function withResolvers() {
  const parts = {}
  parts.promise = new Promise((resolve, reject) => Object.assign(parts, { resolve, reject }))
  return parts
}
