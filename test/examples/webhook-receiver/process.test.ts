import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { describeProgram } from '../../support/describe-program.ts'
import { useFreshFolders } from './support/fresh-folder.ts'
import { json, post } from './support/http-client.ts'
import { keepReceivers, keyOf, originOf, type Receivers, stopProcess } from './support/receiver-process.ts'

describe('the receiver as a process', () => {
  const freshFolder = useFreshFolders()
  let dataDir: string
  const receivers = keepReceivers()
  const start: Receivers['start'] = (environment, options) =>
    receivers.start({ DATA_DIR: dataDir, ...environment }, options)
  beforeEach(async () => {
    dataDir = await freshFolder()
  })
  afterEach(() => receivers.endAll())

  describeProgram({ program: 'curl', debian: 'curl' }, () => {
    it('prints on its first start curls that work when they are pasted into a shell', async () => {
      const receiver = start({ DATA_DIR: join(dataDir, 'new'), MANAGEMENT_TOKEN: 'a-token' })
      await originOf(receiver)
      const run = async (curl: string) => {
        // Without a terminal curl reads the password that it asks for from the standard input.
        const shell = spawn('sh', ['-c', curl], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
        // A curl that asks for none may end before it is written.
        shell.stdin.on('error', () => {}).end('a-token\n')
        return (await shell.stdout.toArray()).join('')
      }
      const [message = ''] = /^ +curl .*"text".*$/m.exec(receiver.output()) ?? []
      expect(await run(message)).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/)
      const management = receiver.output().match(/^ +curl .*management.*$/gm) ?? []
      expect(management).toHaveLength(3)
      for (const curl of management) {
        const response = await run(curl)
        expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
        if (curl.includes(' -u ')) expect(response).toContain('"free":')
      }
      expect(receiver.output()).not.toContain('a-token')
    })
  })

  it('reuses its hook on later starts, and creates another on request', async () => {
    const first = start({})
    const firstKey = await keyOf(first)
    expect(await stopProcess(first)).toBe(0)

    const second = start({})
    const secondOrigin = await originOf(second)
    expect(second.output()).toContain('There is 1 hook;')
    expect(second.output()).not.toContain('/hooks/')
    expect((await post(secondOrigin, firstKey, 'again')).body).toBe('ok')
    expect(await stopProcess(second)).toBe(0)

    const third = start({}, { options: ['--new-hook'] })
    const thirdOrigin = await originOf(third)
    const thirdKey = await keyOf(third)
    expect(thirdKey).not.toBe(firstKey)
    for (const key of [firstKey, thirdKey]) expect((await post(thirdOrigin, key, 'again')).body).toBe('ok')
  })

  it('on SIGTERM stops listening, responds to received requests, and exits with 0', async () => {
    const receiver = start({})
    const { hostname, port } = new URL(await originOf(receiver))
    const key = await keyOf(receiver)
    const body = '{"text":"slow"}'
    const slow = request({
      hostname,
      port,
      method: 'POST',
      path: `/hooks/${key}`,
      headers: { ...json, 'Content-Length': body.length, Expect: '100-continue' },
    })
    slow.flushHeaders()
    await once(slow, 'continue')
    slow.write(body.slice(0, 5))

    receiver.process.kill('SIGTERM')
    await receiver.printed(/shutdown: delay done/)
    // What gets in before the listener is closed is answered as ever; what waits to be let in just then is reset by the
    // system.
    const late = () => post(`http://${hostname}:${port}`, key, 'late').then(({ body }) => body)
    const refused = (error: Error) => error.message
    let outcome = await late().catch(refused)
    while (outcome === 'ok' || outcome.includes('ECONNRESET')) outcome = await late().catch(refused)
    expect(outcome).toContain('ECONNREFUSED')
    slow.end(body.slice(5))
    const [response] = await once(slow, 'response')
    expect((await response.toArray()).join('')).toBe('ok')
    expect(await receiver.ended).toBe(0)
    expect(receiver.output()).not.toMatch(/error|at .+:\d+/i)
  })

  it('survives an unhandled rejection, and exits on SIGINT even if a client keeps its connection open', async () => {
    const stray = `process.on('SIGUSR2', () => { Promise.reject(new Error('stray')) })`
    const receiver = start({}, { nodeOptions: ['--import', `data:text/javascript,${encodeURIComponent(stray)}`] })
    const origin = await originOf(receiver)
    receiver.process.kill('SIGUSR2')
    await receiver.printed(/Unhandled rejection[\s\S]*stray/)
    expect((await post(origin, await keyOf(receiver), 'after')).body).toBe('ok')

    const response = await fetch(`${origin}/management/health`)
    await response.text()
    receiver.process.kill('SIGINT')
    expect(await receiver.ended).toBe(0)
  })

  it.each([
    [{ PORT: 'http', HOST: 'a b' }, [], /^PORT must be .*\nHOST must be .*\n$/],
    [{ DATABASE_URL: 'mysql://u:s3cret@127.0.0.1/d' }, [], /^DATABASE_URL must be .*\n$/],
    [{ DATA_DIR: '/dev/null/data' }, [], /^ENOTDIR.*\/dev\/null.*\n$/],
    [{ HOST: '192.0.2.1' }, [], /^.*EADDRNOTAVAIL.*192\.0\.2\.1.*\n$/],
    [{}, ['--new-hoook'], /^Unknown option '--new-hoook'.*\n$/],
  ])(
    'does not start with %j %j, and prints one line with the reason and without secrets',
    async (environment, options, says) => {
      const receiver = start(environment, { options })
      expect(await receiver.ended).toBe(1)
      expect(receiver.output()).toMatch(says)
      expect(receiver.output()).not.toContain('s3cret')
    },
  )

  it('does not start with a folder or a port in use, and does not affect its user', async () => {
    const receiver = start({})
    const origin = await originOf(receiver)
    const sameFolder = start({})
    expect(await sameFolder.ended).toBe(1)
    expect(sameFolder.output()).toBe(`${dataDir} is in use by another receiver. Stop it, or choose another folder.\n`)
    const samePort = start({ DATA_DIR: await freshFolder(), PORT: new URL(origin).port })
    expect(await samePort.ended).toBe(1)
    expect(samePort.output()).toMatch(/^listen EADDRINUSE.*\n$/)
    expect((await post(origin, await keyOf(receiver), 'after')).body).toBe('ok')
  })
})
