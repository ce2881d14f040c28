import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applicationPort, httpProgram, writeApplication } from '../support/auto-application.ts'

const served = `import { createServer } from 'node:http'
const server = createServer(() => {}).listen(0, '127.0.0.1', async () => {
  const livez = 'http://127.0.0.1:' + process.env.UPKEEP_PORT + '/livez'
  for (let status = 0; status !== 200; ) status = await fetch(livez).then((response) => response.status, () => 0)`

/** Ends of an application, all while a connection to its management is open. */
const ends = [
  ['by itself', 'server.close()', 0, /^$/],
  ['by process.exit(5)', 'process.exit(5)', 5, /^$/],
  ['by process.exitCode', 'process.exitCode = 6; server.close()', 6, /^$/],
  ['by an uncaught exception', "throw new Error('bug')", 1, /Error: bug/],
  ['by an unhandled rejection', "server.close(); Promise.reject(new Error('bug'))", 1, /Error: bug/],
  ['by a signal', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL', /^$/],
] as const

describe('an application under upkeep/auto', () => {
  it.each(ends)('ends as it does without: %s', async (_, code, ended, printed) => {
    const application = await writeApplication({ 'app.mjs': `${served}\n${code}\n})` })
    const child = application.start()
    expect(await child.ended).toBe(ended)
    const [line, ...rest] = child.err.lines
    expect(line).toContain('shop 2.1.0: health at')
    expect(rest.join('\n')).toMatch(printed)
  })

  it('starts on a version of Node with permissions that deny to write, to inspect and to start threads', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    const [major = 0] = process.versions.node.split('.').map(Number)
    const flags = [
      ...(major < 22 ? ['--experimental-permission'] : ['--permission']),
      ...(process.allowedNodeEnvironmentFlags.has('--allow-net') ? ['--allow-net'] : []),
      '--allow-fs-read=*',
      '--import',
      'upkeep/auto',
    ]
    const env = { UPKEEP_TOKEN: 's3cret', UPKEEP_GROUP: 'shop', NODE_NO_WARNINGS: '1' }
    const child = application.start({ flags, env })
    await applicationPort(child)
    await child.err.line(/health at/)
    expect((await application.get('/management/prometheus', 's3cret')).status).toBe(200)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect(child.err.lines.filter((line) => !/health at|goes on alone/.test(line))).toEqual([])
  })

  it('has the globals that it has without', async () => {
    const globals = 'console.log(JSON.stringify(Object.keys(globalThis)))\nserver.close()'
    const application = await writeApplication({
      'app.mjs': `${served}\n${globals}\n})`,
      'bare.mjs': globals.split('\n')[0] ?? '',
    })
    const bare = application.start({ flags: [], program: 'bare.mjs' })
    const child = application.start({ env: { UPKEEP_TOKEN: 's3cret' } })
    expect([await bare.ended, await child.ended]).toEqual([0, 0])
    expect(child.out.lines).toEqual(bare.out.lines)
  })

  it('goes on if the server of the management fails', async () => {
    const application = await writeApplication({
      'app.mjs': `import { subscribe } from 'node:diagnostics_channel'
        subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
          const isOwn = server.address().port === Number(process.env.UPKEEP_PORT)
          if (isOwn) setTimeout(() => server.emit('error', new Error('accept EMFILE')))
        })
        ${httpProgram}`,
    })
    const child = application.start()
    const port = await applicationPort(child)
    await child.err.line(/^upkeep: the server of health failed: Error: accept EMFILE/)
    expect((await fetch(`http://127.0.0.1:${port}/0`)).status).toBe(200)
    expect((await application.get('/livez')).status).toBe(200)
  })

  it('goes on if the rest of upkeep cannot be loaded', async () => {
    const application = await writeApplication({ 'app.mjs': httpProgram })
    await copyFile(join(application.folder, 'node_modules/upkeep/dist/auto.cjs'), join(application.folder, 'alone.cjs'))
    const child = application.start({ flags: ['--import', './alone.cjs'] })
    const port = await applicationPort(child)
    expect((await fetch(`http://127.0.0.1:${port}/0`)).status).toBe(200)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect(child.err.lines).toEqual([expect.stringMatching(/^upkeep: auto: its files cannot be loaded: .*auto-start/)])
  })
})
