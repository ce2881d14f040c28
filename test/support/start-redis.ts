import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

/** Starts a Redis, which lets everybody in or, with a password, those who have it. */
export async function startRedis({ password }: { readonly password?: string } = {}): Promise<TestServer> {
  const command = findProgram('redis-server')
  if (command === undefined) {
    throw new Error('Redis is not installed')
  }
  const folder = await mkdtemp(join(tmpdir(), 'redis-'))
  const port = await freePort()
  const secret = password === undefined ? [] : ['--requirepass', password]
  return await runServer({
    name: 'Redis',
    url: `redis://${password === undefined ? '' : `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`,
    port,
    command,
    args: ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', ...secret],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const client = new Redis(port, '127.0.0.1', {
        lazyConnect: true,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
        ...(password !== undefined && { password }),
      })
      client.on('error', () => {})
      try {
        await client.ping()
      } finally {
        client.disconnect()
      }
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}
