import { connect, type Socket } from 'node:net'
import { parseDuration } from '../base/duration.ts'
import { wait } from '../base/timers.ts'

/** The result of a probe. */
interface Probed {
  readonly ok: boolean
  /** The response, or why no response was received. */
  readonly message: string
}

/** Pause between two requests of `--wait`. */
const pauseMilliseconds = 500

/** Requests a URL once, or with `--wait` until it responds with a 2xx. Reads only the status. Never rejects. */
export async function probe(words: readonly string[]): Promise<Probed> {
  const request = readWords(words)
  if (typeof request === 'string') return { ok: false, message: request }
  const { url, timeoutMilliseconds, waitMilliseconds } = request
  const deadline = performance.now() + waitMilliseconds
  for (;;) {
    const probed = await probeOnce(url, timeoutMilliseconds)
    if (probed.ok || waitMilliseconds === 0) return probed
    const left = deadline - performance.now()
    if (left <= 0) return { ok: false, message: `not ready within ${waitMilliseconds / 1000} s: ${probed.message}` }
    await wait(Math.min(pauseMilliseconds, left))
  }
}

async function probeOnce(url: URL, timeoutMilliseconds: number): Promise<Probed> {
  try {
    const status = await statusOf(url, timeoutMilliseconds)
    return { ok: status >= 200 && status < 300, message: `${url.href} responded with ${status}` }
  } catch (error) {
    return { ok: false, message: `${url.href}: ${(error as Error).message || (error as NodeJS.ErrnoException).code}` }
  }
}

interface ProbeRequest {
  readonly url: URL
  readonly timeoutMilliseconds: number
  /** 0 for a single request. */
  readonly waitMilliseconds: number
}

/** Returns the request, or an error message for invalid arguments. */
function readWords(words: readonly string[]): ProbeRequest | string {
  let address: string | undefined
  const options = new Map([
    ['--timeout', '3s'],
    ['--wait', ''],
  ])
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [name = '', value] = splitOption(word)
    if (options.has(name)) options.set(name, value ?? words[++at] ?? '?')
    else if (word.startsWith('-')) return `unknown option ${name}; see upkeep probe --help`
    else if (address !== undefined) return `expected one URL, received ${word} as well`
    else address = word
  }
  const [timeout = '', wait = ''] = options.values()
  const timeoutMilliseconds = parseDuration(timeout) ?? 0
  const waitMilliseconds = wait === '' ? 0 : parseDuration(wait)
  if (timeoutMilliseconds <= 0) return `--timeout: expected a duration such as 500ms or 3s, received ${timeout}`
  if (waitMilliseconds === undefined) return `--wait: expected a duration such as 60s, received ${wait}`
  if (address === undefined) return 'expected a URL; see upkeep probe --help'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return `expected a URL such as http://127.0.0.1:3000/management/health/readiness, received ${address}`
  }
  return { url: new URL(address), timeoutMilliseconds, waitMilliseconds }
}

function splitOption(word: string): readonly string[] {
  const equals = word.startsWith('-') ? word.indexOf('=') : -1
  return equals < 0 ? [word] : [word.slice(0, equals), word.slice(equals + 1)]
}

/** Reads only up to the status line, which takes a quarter less time than node:http. */
async function statusOf(url: URL, timeoutMilliseconds: number): Promise<number> {
  const socket = await open(url)
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      settle()
    }
    const timer = setTimeout(
      () => end(() => reject(new Error(`no response within ${timeoutMilliseconds} ms`))),
      timeoutMilliseconds,
    )
    const read = createStatusReader()
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      try {
        const status = read(chunk)
        if (status !== undefined) end(() => resolve(status))
      } catch (error) {
        end(() => reject(error))
      }
    })
    socket.on('error', (error) => end(() => reject(error)))
    socket.on('close', () => end(() => reject(new Error('the connection was closed without a response'))))
    const credentials =
      url.username === ''
        ? ''
        : `Authorization: Basic ${btoa(decodeURIComponent(`${url.username}:${url.password}`))}\r\n`
    socket.write(
      `GET ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\n${credentials}Connection: close\r\n\r\n`,
    )
  })
}

async function open({ protocol, hostname, port }: URL): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol === 'http:') return connect({ host, port: Number(port) || 80 })
  const tls = await import('node:tls')
  const { isIP } = await import('node:net')
  return tls.connect({ host, port: Number(port) || 443, ...(isIP(host) === 0 && { servername: host }) })
}

/** Maximum length of interim responses (1xx). */
const maxLength = 65_536

const statusLine = /^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/

/** Length of a status line up to the character after the status. */
const enough = 'HTTP/1.1 200 '.length

/**
 * Returns a function that takes the pieces of an HTTP/1 response in latin1 and returns the status of the final response
 * as soon as it is known. Interim responses (1xx) are skipped. Buffers at most an incomplete interim response.
 *
 * @throws Error, from the function, for malformed HTTP, or interim responses longer than 64 KiB.
 */
export function createStatusReader(): (chunk: string) => number | undefined {
  let text = ''
  let length = 0
  return (chunk) => {
    text += chunk
    length += chunk.length
    while (text.length >= enough) {
      const status = Number(statusLine.exec(text)?.[1] ?? Number.NaN)
      if (Number.isNaN(status)) throw new Error('the response is not HTTP/1')
      if (status >= 200) return status
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) break
      text = text.slice(end + 4)
    }
    if (length > maxLength) throw new Error(`no final response within ${maxLength} bytes`)
    return undefined
  }
}
