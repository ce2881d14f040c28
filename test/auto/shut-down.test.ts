import { once } from 'node:events'
import { get } from 'node:http'
import { describe, expect, it } from 'vitest'
import { applicationPort, httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'

const graceful = { UPKEEP_SHUTDOWN: 'graceful', UPKEEP_SHUTDOWN_DELAY: '300ms' }
/** What the application does with SIGTERM. */
const handlers = {
  none: '',
  exit: "process.on('SIGTERM', (signal, code) => { console.log('handler', signal, code); process.exit(3) })",
  close:
    "process.on('SIGTERM', () => server.close((error) => console.log('closed', error)) && process.stdin.destroy())",
  once: "process.once('SIGTERM', () => server.close((error) => process.exit(error ? 1 : 0)))",
}

/** Sends a request, and SIGTERM while it is active. Returns what became of both. */
async function stopDuringRequest(
  handler: keyof typeof handlers,
  env: Readonly<Record<string, string>>,
  milliseconds = 700,
) {
  const application = await writeApplication({
    'app.mjs': `${httpProgram}\nserver.on('request', () => console.log('requested'))\n${handlers[handler]}`,
  })
  const child = application.start({ env })
  const port = await applicationPort(child)
  await child.err.line(/health at/)
  const request = get({ port, host: '127.0.0.1', path: `/${milliseconds}`, agent: false })
  const response = once(request, 'response').then(
    ([{ statusCode }]) => statusCode,
    ({ code }: NodeJS.ErrnoException) => code,
  )
  await child.out.line(/requested/)
  child.process.kill('SIGTERM')
  return { application, child, response: await response, ended: await child.ended }
}

describe('without UPKEEP_SHUTDOWN', () => {
  it.each([
    ['none', 60_000, 'ECONNRESET', 'SIGTERM'],
    ['exit', 60_000, 'ECONNRESET', 3],
    ['close', 700, 200, 0],
  ] as const)('SIGTERM has the effect that it has without upkeep: %s', async (handler, duration, response, ended) => {
    expect(await stopDuringRequest(handler, {}, duration)).toMatchObject({ response, ended })
  })
})

describe('with UPKEEP_SHUTDOWN=graceful', () => {
  it.each([
    ['none', 'SIGTERM', []],
    ['exit', 3, ['handler SIGTERM 15']],
    ['close', 0, ['closed undefined']],
    ['once', 0, []],
  ] as const)('an active request is finished, and the exit code stays: %s', async (handler, ended, lines) => {
    const stopped = await stopDuringRequest(handler, graceful)
    expect(stopped).toMatchObject({ response: 200, ended })
    expect(stopped.child.out.lines.slice(2)).toEqual(lines)
    expect(upkeepLines(stopped.child).slice(1)).toEqual([
      'upkeep: shutting down (SIGTERM): serves for 300ms',
      expect.stringMatching(/^upkeep: shutdown: requests done after \d+ms$/),
    ])
  })

  it('requests to a server that gets its listener after it listens are finished', async () => {
    const application = await writeApplication({
      'app.mjs': `import { createServer } from 'node:http'
        createServer(() => {}).listen(0, '127.0.0.1')
        const server = createServer().listen(0, '127.0.0.1', () => console.log('port', server.address().port))
        server.on('request', (req, res) => {
          process.kill(process.pid, 'SIGTERM')
          setTimeout(() => res.end('late'), 700)
        })`,
    })
    const child = application.start({ env: { ...graceful, UPKEEP_SHUTDOWN_DELAY: '0s' } })
    const port = await applicationPort(child)
    await child.err.line(/health at/)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late')
    expect(await child.ended).toBe('SIGTERM')
  })

  it('readiness is 503 while requests are still served', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    const child = application.start({ env: { ...graceful, UPKEEP_SHUTDOWN_DELAY: '60s' } })
    const port = await applicationPort(child)
    await child.err.line(/health at/)
    expect((await application.get('/readyz')).status).toBe(200)
    child.process.kill('SIGTERM')
    await child.err.line(/shutting down/)
    expect((await application.get('/readyz')).status).toBe(503)
    expect((await application.get('/livez')).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}/0`)).status).toBe(200)
    // Once more: at once.
    child.process.kill('SIGINT')
    expect(await child.ended).toBe('SIGINT')
  })

  it('signals are held that a file has handled which was preloaded before', async () => {
    const application = await writeApplication({
      'app.mjs': httpProgram,
      'before.cjs': "process.once('SIGTERM', () => process.exit(4))",
    })
    const flags = ['-r', './before.cjs', '-r', 'upkeep/auto']
    const child = application.start({ flags, env: { ...graceful, UPKEEP_SHUTDOWN_DELAY: '0s' } })
    await child.err.line(/health at/)
    child.process.kill('SIGTERM')
    await child.err.line(/requests done/)
    expect(await child.ended).toBe(4)
  })

  it('a process that does not wake ends as it does without upkeep', async () => {
    const application = await writeApplication({ 'app.mjs': "process.stdin.resume(); console.log('started')" })
    const child = application.start({ env: graceful })
    await child.out.line(/started/)
    child.process.kill('SIGTERM')
    expect(await child.ended).toBe('SIGTERM')
    expect(child.err.lines).toEqual([])
  })
})
