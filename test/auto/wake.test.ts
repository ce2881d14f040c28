import { describe, expect, it } from 'vitest'
import { applicationPort, httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'

const commonJs = httpProgram.replace(
  "import { createServer } from 'node:http'",
  "const { createServer } = require('http')",
)
const files = { 'app.mjs': httpProgram, 'app.cjs': commonJs }
const started = /^upkeep: shop 2\.1\.0: health at http:\/\/127\.0\.0\.1:\d+\/management\/health; probes/

describe('upkeep/auto', () => {
  it.each([
    ['--import', 'app.mjs', ['--import', 'upkeep/auto']],
    ['-r', 'app.mjs', ['-r', 'upkeep/auto']],
    ['--import', 'app.cjs', ['--import', 'upkeep/auto']],
    ['-r', 'app.cjs', ['-r', 'upkeep/auto']],
    ['-r without require(esm)', 'app.cjs', ['--no-experimental-require-module', '-r', 'upkeep/auto']],
    ['-r and --import', 'app.mjs', ['-r', 'upkeep/auto', '--import', 'upkeep/auto']],
  ])('by %s serves health of %s, once, and ends with it', async (_, program, flags) => {
    const application = await writeApplication(files)
    const child = application.start({ flags, program })
    const port = await applicationPort(child)
    await child.err.line(started)
    expect(await application.get('/livez')).toEqual({ status: 200, text: '{"status":"UP"}' })
    expect(await (await fetch(`http://127.0.0.1:${port}/0`)).text()).toBe('hello')
    child.writeInput('end')
    // The connections of fetch to the application and to its management are still open.
    expect(await child.ended).toBe(0)
    expect(child.out.lines).toEqual([`port ${port}`])
    expect(child.err.lines).toEqual([expect.stringMatching(started)])
  })

  it('serves health and its probes without a token, and nothing else', async () => {
    const application = await writeApplication(files)
    const child = application.start()
    const line = await child.err.line(started)
    expect(line).toContain('set UPKEEP_TOKEN to serve metrics')
    const statuses = await Promise.all(
      [
        '/livez',
        '/readyz',
        '/management/health',
        '/management/prometheus',
        '/management/env',
        '/management/heapdump',
      ].map(async (path) => (await application.get(path)).status),
    )
    expect(statuses).toEqual([200, 200, 200, 404, 404, 404])
    expect((await application.get('/management')).text).not.toMatch(/prometheus|info|env/)
  })

  it('serves everything else to the owner of the token', async () => {
    const application = await writeApplication(files)
    const child = application.start({ env: { UPKEEP_TOKEN: 's3cret' } })
    const line = await child.err.line(started)
    expect(line).toContain('with the token info, metrics, prometheus')
    expect(line).not.toContain('s3cret')
    expect((await application.get('/readyz')).status).toBe(200)
    expect((await application.get('/management/prometheus')).status).toBe(401)
    expect((await application.get('/management/prometheus', 'other')).status).toBe(401)
    expect((await application.get('/management/prometheus', 's3cret')).text).toContain('process_uptime_seconds')
    const info = JSON.parse((await application.get('/management/info', 's3cret')).text)
    expect(info.application).toEqual({ name: 'shop', version: '2.1.0' })
    expect((await application.get('/management/shutdown', 's3cret')).status).toBe(404)
  })

  it.each(['true', '1'])('writes nothing with UPKEEP_QUIET=%s, also if the port is not available', async (quiet) => {
    const application = await writeApplication(files)
    const first = application.start()
    await first.err.line(started)
    const second = application.start({ env: { UPKEEP_QUIET: quiet } })
    await applicationPort(second)
    second.writeInput('end')
    expect(await second.ended).toBe(0)
    expect(second.err.lines).toEqual([])
  })

  it('reports a port that is not available in one line, and the application goes on', async () => {
    const application = await writeApplication(files)
    const first = application.start()
    await first.err.line(started)
    const second = application.start()
    const port = await applicationPort(second)
    expect(await second.err.line(/./)).toMatch(
      new RegExp(
        `^upkeep: health is not served, because UPKEEP_PORT=${application.port} is not available: .*EADDRINUSE`,
      ),
    )
    expect(await (await fetch(`http://127.0.0.1:${port}/0`)).text()).toBe('hello')
    second.writeInput('end')
    expect(await second.ended).toBe(0)
    expect(second.err.lines).toHaveLength(1)
  })

  const listen = `const port = Number(process.env.UPKEEP_PORT)
    const server = require('node:http').createServer((req, res) => res.end('hello'))
    const listen = () => server.listen(port, '127.0.0.1', () => console.log('port', port))
    process.stdin.once('data', () => server.close() && process.stdin.destroy())`
  const others = "require('node:http').createServer(() => {}).listen(0, '127.0.0.1').unref()"

  it.each([
    ['by its first server', `${listen}; listen()`, {}],
    ['in the turn in which upkeep/auto starts', `${listen}; listen()`, { UPKEEP_START: 'always' }],
    ['later', `${listen}; ${others}; setTimeout(listen, 500)`, {}],
  ])('leaves its port to the application that uses it %s', async (_, code, env) => {
    const application = await writeApplication({ 'app.cjs': code })
    const child = application.start({ flags: ['-r', 'upkeep/auto'], program: 'app.cjs', env })
    expect(await applicationPort(child)).toBe(application.port)
    await child.err.line(/health is not served, because the application listens at UPKEEP_PORT=\d+ itself$/)
    expect((await application.get('/livez')).text).toBe('hello')
    child.writeInput('end')
    expect(await child.ended).toBe(0)
  })

  it('wakes at the first request of a server that gets its listener after listen()', async () => {
    const application = await writeApplication({
      'app.mjs': `import { createServer } from 'node:http'
        const server = createServer()
        server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))
        server.on('request', (req, res) => res.end('late'))`,
    })
    const child = application.start()
    const port = await applicationPort(child)
    expect(upkeepLines(child)).toEqual([])
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('late')
    await child.err.line(started)
  })

  it('wakes for servers of HTTP/2, also without a listener yet', async () => {
    const application = await writeApplication({
      'app.mjs': `import { createServer } from 'node:http2'
        const server = createServer().listen(0, '127.0.0.1')
        server.on('stream', (stream) => stream.respond())`,
    })
    await application.start().err.line(started)
  })

  it('starts at once with UPKEEP_START=always, and does not keep the process alive', async () => {
    const application = await writeApplication({
      'app.mjs': "process.stdin.once('data', () => process.stdin.destroy())",
    })
    const child = application.start({ env: { UPKEEP_START: 'always', UPKEEP_TOKEN: 's3cret' } })
    await child.err.line(started)
    expect((await application.get('/management/prometheus', 's3cret')).status).toBe(200)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
  })
})
