import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { ServerOptions } from 'node:https'
import type { SecureContextOptions } from 'node:tls'
import { messageOf } from '../base/callback.ts'
import { invalidOption } from '../base/errors.ts'
import { requireKnownOptions } from '../base/known-options.ts'
import type { Report } from '../base/report.ts'
import { setUnrefTimeout } from '../base/timers.ts'

/** Files in PEM format. They are read again when they change. */
export interface TlsFiles {
  /** The path of the certificate, followed by those of intermediate authorities. */
  readonly certFile: string
  /** The path of its private key. */
  readonly keyFile: string
  /**
   * The path of the certificates of the authorities of clients. With it, a client without a certificate of one of them
   * is refused during the handshake. @default clients need no certificate
   */
  readonly clientCaFile?: string | undefined
}

/** How often the files are read. */
const intervalMilliseconds = 10_000

/** The options of a secure context that have files. */
type Contents = Pick<SecureContextOptions, 'cert' | 'key' | 'ca'>

type NamedFiles = readonly (readonly [option: 'cert' | 'key' | 'ca', name: string, path: string])[]

function namedFiles({ certFile, keyFile, clientCaFile }: TlsFiles): NamedFiles {
  return [
    ['cert', 'certFile', certFile],
    ['key', 'keyFile', keyFile],
    ...(clientCaFile === undefined ? [] : [['ca', 'clientCaFile', clientCaFile] as const]),
  ]
}

/**
 * Creates a server of HTTPS whose certificate follows the files.
 *
 * @throws TypeError that begins with `where` and names the option, if a file is missing, or cannot be read or used.
 */
export function createSecureServer(where: string, files: TlsFiles, options: ServerOptions, report: Report): Server {
  requireKnownOptions(where, files, ['certFile', 'keyFile', 'clientCaFile'], {
    foreignNames: { cert: 'certFile', key: 'keyFile', ca: 'clientCaFile', clientCa: 'clientCaFile' },
  })
  const contents = readTlsFiles(where, files)
  const { createServer } = process.getBuiltinModule('node:https')
  try {
    const server = createServer({ ...options, ...contents, requestCert: files.clientCaFile !== undefined })
    server.once('close', followTlsFiles(server, files, contents, report))
    return server
  } catch (error) {
    throw invalidOption(`${where}: expected a certificate and its key in PEM format: ${messageOf(error)}`)
  }
}

function readTlsFiles(where: string, files: TlsFiles): Contents {
  const contents = namedFiles(files).map(([option, name, path]) => {
    if (typeof path !== 'string' || path === '')
      throw invalidOption(`${where}: ${name}: expected the path of a file in PEM format`)
    try {
      return [option, readFileSync(path)] as const
    } catch (error) {
      throw invalidOption(`${where}: ${name}: expected a file that can be read: ${messageOf(error)}`)
    }
  })
  return Object.fromEntries(contents)
}

interface SecureServer {
  setSecureContext(options: SecureContextOptions): void
}

/**
 * Reads the files every ten seconds, and serves new connections with changed ones. What cannot be used, such as a
 * certificate whose key is not yet written, is reported once, and the server keeps what it has. Returns a function that
 * ends this.
 */
function followTlsFiles(server: SecureServer, files: TlsFiles, used: Contents, report: Report): () => void {
  let current = used
  let reported = ''
  let timer: NodeJS.Timeout | undefined
  let isEnded = false

  const isChanged = (read: Contents): boolean =>
    namedFiles(files).some(([option]) => !(read[option] as Buffer).equals(current[option] as Buffer))

  async function reload(): Promise<void> {
    try {
      const contents = await Promise.all(
        namedFiles(files).map(async ([option, , path]) => [option, await readFile(path)] as const),
      )
      const read: Contents = Object.fromEntries(contents)
      if (!isEnded && isChanged(read)) {
        server.setSecureContext(read)
        current = read
        report('the certificate of the management was read again')
      }
      reported = ''
    } catch (error) {
      const message = messageOf(error)
      if (message !== reported) report('the certificate of the management cannot be read again', error)
      reported = message
    }
    schedule()
  }

  function schedule(): void {
    if (!isEnded) timer = setUnrefTimeout(() => void reload(), intervalMilliseconds)
  }

  schedule()
  return () => {
    isEnded = true
    clearTimeout(timer)
  }
}
