import { connect, type Socket } from 'node:net'
import { parseDuration } from '../duration.ts'

/** How a probe went; where not well, in a few words. */
export interface Probed {
  readonly ok: boolean
  readonly says: string
}

/** Asks an address once, for the status alone. Never rejects. */
export async function probe(words: readonly string[]): Promise<Probed> {
  const asked = readWords(words)
  if (typeof asked === 'string') return { ok: false, says: asked }
  const { url, timeoutMilliseconds } = asked
  try {
    const status = await statusOf(url, timeoutMilliseconds)
    return { ok: status >= 200 && status < 300, says: `${url.href} answered ${status}` }
  } catch (error) {
    return { ok: false, says: `${url.href}: ${(error as Error).message || (error as NodeJS.ErrnoException).code}` }
  }
}

interface Asked {
  readonly url: URL
  readonly timeoutMilliseconds: number
}

/** What is asked for, or what is wrong with it. */
function readWords(words: readonly string[]): Asked | string {
  let address: string | undefined
  let timeout = '3s'
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--timeout') timeout = words[++at] ?? ''
    else if (word.startsWith('--timeout=')) timeout = word.slice('--timeout='.length)
    else if (word.startsWith('-')) return `there is no option ${word.split('=')[0]}; see upkeep probe --help`
    else if (address !== undefined) return `one address is asked, not ${word} as well`
    else address = word
  }
  const timeoutMilliseconds = parseDuration(timeout)
  if (timeoutMilliseconds === undefined || timeoutMilliseconds <= 0) {
    return `--timeout must be a duration such as 500ms or 3s, not ${JSON.stringify(timeout)}`
  }
  if (address === undefined) return 'an address is missing; see upkeep probe --help'
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    return `${address} is no address such as http://127.0.0.1:3000/management/health/readiness`
  }
  return { url: new URL(address), timeoutMilliseconds }
}

/** Reads no further than the status line, which is all that is wanted; node:http would cost a third of the time. */
async function statusOf(url: URL, timeoutMilliseconds: number): Promise<number> {
  const socket = await open(url)
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer)
      socket.destroy()
      settle()
    }
    const timer = setTimeout(
      () => end(() => reject(new Error(`no answer within ${timeoutMilliseconds} ms`))),
      timeoutMilliseconds,
    )
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
      // 1xx come before the answer.
      const [, status] = /^(?:HTTP\/1\.[01] 1\d\d[\s\S]*?\r\n\r\n)*HTTP\/1\.[01] ([2-9]\d\d)[ \r]/.exec(text) ?? []
      if (status !== undefined) end(() => resolve(Number(status)))
    })
    socket.on('error', (error) => end(() => reject(error)))
    socket.on('close', () => end(() => reject(new Error('closed the connection without an answer'))))
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
