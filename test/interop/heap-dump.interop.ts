import { get, type IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { probeLikeKubelet, startService } from '../watch/service.ts'

it('a heap of 1 GB is dumped while probes of the port of the watchdog succeed', { timeout: 600_000 }, async () => {
  const { child, port, probe } = await startService({
    ...{ stall: '1s', strings: 1_000_000, flags: ['--max-old-space-size=6000'] },
  })
  let isOver = false
  const failures = probeLikeKubelet(probe, () => isOver)
  const headers = { authorization: 'Bearer let-me-in' }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/management/heapdump', headers, timeout: 0 }, resolve).on('error', reject)
  })
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  isOver = true
  expect(response.statusCode).toBe(200)
  expect(bytes).toBeGreaterThan(1e9)
  // Three in sequence would restart the container.
  expect(await failures).toBeLessThan(3)
  expect(child.out.lines.filter((line) => line.includes('watchdog'))).toEqual([])
  expect(child.process.exitCode).toBeNull()
})
