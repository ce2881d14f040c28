import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { manage } from 'upkeep/node'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/listen.ts'
import { createRawClient } from '../support/raw-client.ts'
import { type CreateListener, listeners } from './listeners.ts'

const token = { authorization: 'Bearer let-me-in' }
const target = '/management/logfile'
const text = '0123456789'.repeat(10)
const request = `GET ${target} HTTP/1.1\r\nHost: upkeep\r\nAuthorization: ${token.authorization}\r\n\r\n`

/** Longer than a busy machine takes. */
const patiently = { timeout: 50_000 }

function createFile(content: string = text) {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'orders.log')
  writeFileSync(path, content)
  return path
}

/** A file of zeros, which takes no space on the disk. */
function createLargeFile(size: number) {
  const path = createFile('')
  truncateSync(path, size)
  return path
}

async function serve(
  logFile: string,
  createListener: CreateListener = listeners['node:http'],
  options: ManagementOptions = {},
) {
  const reports: unknown[][] = []
  const management = createManagement({
    expose: ['logfile'],
    logFile,
    authorize: bearerToken('let-me-in'),
    report: (...report) => reports.push(report),
    ...options,
  })
  const { port, close } = await listen(createListener(management))
  onTestFinished(async () => {
    management.close()
    await close()
  })
  const send = createRawClient(port)
  const read = (headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    send({ method, target, headers: { ...token, ...headers } })
  return { management, port, send, read, reports }
}

/** Node warns of a file that was closed by the garbage collector, and from version 26 on throws. */
function collectWarnings(): readonly Error[] {
  const warnings: Error[] = []
  const add = (warning: Error) => warnings.push(warning)
  process.on('warning', add)
  onTestFinished(() => void process.off('warning', add))
  return warnings
}

/** The open files of this process with this path. */
function descriptorsOf(path: string): number {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === path
    } catch {
      return false
    }
  }).length
}

describe.each(Object.entries(listeners))('the log file, with %s,', (_name, createListener) => {
  it('is sent whole, as text that browsers do not interpret', async () => {
    const { read } = await serve(createFile(), createListener)
    const { status, headers, body } = await read()
    expect([status, body]).toEqual([200, text])
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=UTF-8',
      'content-length': '100',
      'accept-ranges': 'bytes',
      'cache-control': 'no-cache, private',
      etag: expect.stringMatching(/^"[\da-z-]+"$/),
      'last-modified': expect.any(String),
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-range']).toBeUndefined()
  })

  it('is sent in part for a Range that it has, and not for another', async () => {
    const { read } = await serve(createFile(), createListener)
    const part = await read({ Range: 'bytes=95-' })
    expect([part.status, part.headers['content-range'], part.body]).toEqual([206, 'bytes 95-99/100', '56789'])
    const none = await read({ Range: 'bytes=100-' })
    expect([none.status, none.headers['content-range']]).toEqual([416, 'bytes */100'])
  })

  it('has the fields of GET for HEAD, which ignores Range', async () => {
    const { read } = await serve(createFile(), createListener)
    const head = await read({ Range: 'bytes=0-1' }, 'HEAD')
    expect([head.status, head.headers['content-length'], head.headers['accept-ranges'], head.body]).toEqual([
      200,
      '100',
      'bytes',
      '',
    ])
  })

  it('is sent in part to a client that has a part of the same version, and else whole', async () => {
    const path = createFile()
    const { read } = await serve(path, createListener)
    const etag = String((await read()).headers['etag'])
    expect((await read({ Range: 'bytes=50-', 'If-Range': etag })).status).toBe(206)
    expect((await read({ 'If-None-Match': etag, Range: 'bytes=0-1' })).status).toBe(304)
    expect((await read({ 'If-Match': '"other"', Range: 'bytes=0-1' })).status).toBe(412)
    appendFileSync(path, 'more')
    expect(await read({ Range: 'bytes=50-', 'If-Range': etag })).toMatchObject({ status: 200, body: `${text}more` })
    expect(await read({ Range: 'bytes=100-' })).toMatchObject({ status: 206, body: 'more' })
  })

  it('is sent if it is empty', async () => {
    const { read } = await serve(createFile(''), createListener)
    const { status, headers, body } = await read()
    expect([status, headers['content-length'], body]).toEqual([200, '0', ''])
    expect((await read({ Range: 'bytes=-100' })).headers['content-range']).toBe('bytes */0')
  })

  it('is read while it is sent, and closed when the client leaves', async () => {
    const path = createLargeFile(64 * 2 ** 20)
    const { port } = await serve(path, createListener)
    const request = get({ port, host: '127.0.0.1', path: target, headers: token, agent: false }).on('error', () => {})
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    await once(
      response.on('error', () => {}),
      'readable',
    )
    if (process.platform === 'linux') expect(descriptorsOf(path)).toBe(1)
    response.destroy()
    if (process.platform === 'linux') await expect.poll(() => descriptorsOf(path), patiently).toBe(0)
  })

  it.runIf(process.platform === 'linux')('is closed when clients leave before the response', async () => {
    const path = createLargeFile(2 ** 20)
    const { port } = await serve(path, createListener)
    const warnings = collectWarnings()
    const leave = async (milliseconds: number) => {
      const socket = connect(port, '127.0.0.1')
      socket.write(request)
      await wait(milliseconds)
      socket.destroy()
    }
    for (let round = 0; round < 10; round++) await Promise.all([0, 1, 2, 3, 4].map(leave))
    await expect.poll(() => descriptorsOf(path), patiently).toBe(0)
    expect(warnings).toEqual([])
  })

  it.runIf(process.platform === 'linux')('is closed when a client leaves that has sent several requests', async () => {
    const path = createLargeFile(64 * 2 ** 20)
    const { port } = await serve(path, createListener)
    const warnings = collectWarnings()
    const socket = connect(port, '127.0.0.1').pause()
    socket.write(request.repeat(3))
    await expect.poll(() => descriptorsOf(path), patiently).toBe(3)
    socket.destroy()
    await expect.poll(() => descriptorsOf(path), patiently).toBe(0)
    expect(warnings).toEqual([])
  })
})

describe('GET logfile', () => {
  it.each([
    ['bytes=0-9', 206, 'bytes 0-9/100', text.slice(0, 10)],
    ['bytes=95-', 206, 'bytes 95-99/100', '56789'],
    ['bytes=-5', 206, 'bytes 95-99/100', '56789'],
    ['bytes=-307200', 206, 'bytes 0-99/100', text],
    ['bytes=99-', 206, 'bytes 99-99/100', '9'],
    ['bytes=90-1000', 206, 'bytes 90-99/100', text.slice(90)],
    ['bytes=5-2', 200, undefined, text],
    ['bytes=0-1,5-6', 200, undefined, text],
    ['lines=0-1', 200, undefined, text],
  ])('is sent in part for Range: %s', async (range, status, contentRange, body) => {
    const { read } = await serve(createFile())
    const response = await read({ Range: range })
    expect(response).toMatchObject({ status, body })
    expect([response.headers['content-range'], response.headers['content-length']]).toEqual([
      contentRange,
      String(body.length),
    ])
  })

  it.each(['bytes=100-', 'bytes=-0', 'bytes=100-200'])(
    'has no part for Range: %s: 416 with the size',
    async (range) => {
      const { read } = await serve(createFile())
      const { status, headers, body } = await read({ Range: range })
      expect([status, headers['content-range']]).toEqual([416, 'bytes */100'])
      expect(headers['content-type']).toBe('application/problem+json')
      expect(JSON.parse(body)).toMatchObject({ detail: 'Range not satisfiable; the size is 100 bytes.' })
    },
  )

  it.runIf(process.platform === 'linux')('is closed if the application has already responded', async () => {
    const path = createFile()
    const management = createManagement({
      expose: ['logfile'],
      logFile: path,
      authorize: () => responded.then(() => ({ name: 'operator' })),
    })
    const handle = manage(management)
    let respondFirst = () => {}
    const responded = new Promise<void>((resolve) => {
      respondFirst = resolve
    })
    const handled: unknown[] = []
    const { port, close } = await listen((req, res) => {
      handled.push(handle(req, res))
      res.writeHead(503).end(respondFirst)
    })
    onTestFinished(close)
    expect((await createRawClient(port)({ method: 'GET', target })).status).toBe(503)
    await Promise.all(handled)
    await expect.poll(() => descriptorsOf(path), patiently).toBe(0)
  })

  it('sends the size that the file had, also if it grows meanwhile', async () => {
    const path = createLargeFile(8 * 2 ** 20)
    const { port } = await serve(path)
    const [response] = (await once(get({ port, host: '127.0.0.1', path: target, headers: token }), 'response')) as [
      IncomingMessage,
    ]
    appendFileSync(path, 'more')
    let length = 0
    for await (const chunk of response) length += (chunk as Buffer).length
    expect([length, response.headers['content-length']]).toEqual([8 * 2 ** 20, String(8 * 2 ** 20)])
  })

  it('closes the connection if the file is truncated while it is sent', async () => {
    const path = createLargeFile(64 * 2 ** 20)
    const { port, reports } = await serve(path)
    const request = get({ port, host: '127.0.0.1', path: target, headers: token, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    truncateSync(path, 10)
    await expect(
      (async () => {
        for await (const _chunk of response);
      })(),
    ).rejects.toThrow('aborted')
    expect(reports).toEqual([['GET /management/logfile failed', expect.objectContaining({ status: 503 })]])
  })

  it('reads the new file after a rotation', async () => {
    const path = createFile()
    const { read } = await serve(path)
    renameSync(path, `${path}.1`)
    expect(await read()).toMatchObject({ status: 404 })
    writeFileSync(path, 'new')
    expect(await read()).toMatchObject({ status: 200, body: 'new' })
  })

  it('sends the file that the option names, and no other', async () => {
    const path = createFile()
    writeFileSync(join(path, '../secret.log'), 'canary-7f3a91')
    const { send } = await serve(path)
    const targets = ['/../secret.log', '/secret.log', '/%2e%2e/secret.log', '?file=secret.log', '/..%2fsecret.log']
    for (const each of targets) {
      const { body, status } = await send({ target: target + each, headers: token })
      expect(body).not.toContain('canary-7f3a91')
      expect(status).toBe(each.startsWith('?') ? 200 : 404)
    }
  })

  it('responds with 404 for a file that does not exist, or is none', async () => {
    const path = createFile()
    symlinkSync(`${path}.loop`, `${path}.loop`)
    for (const [file, detail] of [
      [`${path}.loop`, 'The log file cannot be read.'],
      [`${path}.none`, 'The log file does not exist.'],
      [join(path, 'below'), 'The log file does not exist.'],
      [join(path, '..'), 'The log file is not a regular file.'],
      ['/dev/zero', 'The log file is not a regular file.'],
    ] as const) {
      const { status, body } = await (await serve(file)).read()
      expect([status, JSON.parse(body).detail]).toEqual([404, detail])
    }
  })

  it('responds with 404 for a named pipe, which could never be opened', async () => {
    const path = createFile()
    rmSync(path)
    execFileSync('mkfifo', [path])
    expect(await (await serve(path)).read()).toMatchObject({ status: 404 })
  })

  it('is text only', async () => {
    const { read } = await serve(createFile())
    expect(await read({ Accept: 'application/json' })).toMatchObject({ status: 406 })
    expect(await read({ Accept: 'text/plain,*/*' })).toMatchObject({ status: 200 })
    expect(await read({ 'Accept-Encoding': 'gzip' })).toMatchObject({ status: 200, body: text })
  })

  it('requires a known caller', async () => {
    const { send } = await serve(createFile(), undefined, { access: { '*': 'public' } })
    expect(await send({ target })).toMatchObject({ status: 401 })
  })
})

it.each([
  [{ expose: ['logfile'] }, 'logFile: expected the path of a file, because "logfile" is exposed, received undefined'],
  [{ logFile: '' }, 'logFile: expected a non-empty string, received ""'],
  [{ logFile: 5 }, 'logFile: expected a string, received 5'],
])('createManagement rejects %j', (options, fault) => {
  const create = () => createManagement({ authorize: bearerToken('let-me-in'), ...options } as ManagementOptions)
  expect(create).toThrow(new TypeError(`createManagement: ${fault}`))
})
