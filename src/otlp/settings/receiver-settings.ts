import type { ProxySettings } from '../delivery/proxy.ts'
import { isReceiverUrl, urlBelow } from './receiver-url.ts'
import type { ReceiverOptions, TelemetryOptions } from './telemetry-options.ts'
import {
  aProtocol,
  aText,
  aUrl,
  decode,
  headerFields,
  oneOf,
  readMilliseconds,
  type VariableGrammar,
  type VariableReader,
} from './variables.ts'

/** How to connect to the receiver of one signal. */
export interface ReceiverSettings {
  readonly url: string
  /** By lowercase name. */
  readonly headers: Readonly<Record<string, string>>
  /** Timeout of one export, retries included. */
  readonly timeoutMilliseconds: number
  readonly compression: 'gzip' | 'none'
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly certificates: CertificateFiles
  readonly proxy: ProxySettings | undefined
}

/** PEM files. */
export interface CertificateFiles {
  /** Trusted certificates instead of Node's. */
  readonly ca: string | undefined
  readonly cert: string | undefined
  readonly key: string | undefined
}

interface Signal {
  /** As in the names of the variables of this signal. */
  readonly name: 'TRACES' | 'METRICS' | 'LOGS'
  readonly path: string
}

/** Returns the settings that all signals share. */
export function receiverSettings(
  { name, path }: Signal,
  general: TelemetryOptions,
  own: ReceiverOptions & { readonly url?: string | undefined },
  variables: VariableReader,
): ReceiverSettings {
  const names = (setting: string) => [`OTEL_EXPORTER_OTLP_${name}_${setting}`, `OTEL_EXPORTER_OTLP_${setting}`]
  const headers = (prefix: string) => variables.read([`OTEL_EXPORTER_OTLP_${prefix}HEADERS`], headerFields)
  const url = own.url ?? urlOf({ name, path }, general, variables)
  const [cert, key] = [names('CLIENT_CERTIFICATE'), names('CLIENT_KEY')]
  variables.requireBoth(cert, key)
  return {
    url,
    headers: { ...headers(''), ...headers(`${name}_`), ...lowerCase(general.headers), ...lowerCase(own.headers) },
    timeoutMilliseconds: readMilliseconds(own.timeout ?? general.timeout, variables, names('TIMEOUT'), 10_000),
    compression:
      own.compression ?? general.compression ?? variables.read(names('COMPRESSION'), oneOf('gzip', 'none')) ?? 'none',
    protocol: own.protocol ?? general.protocol ?? variables.read(names('PROTOCOL'), aProtocol) ?? 'http/protobuf',
    proxy: proxySettings(url, variables),
    certificates: {
      ca: variables.read(names('CERTIFICATE'), aText),
      cert: variables.read(cert, aText),
      key: variables.read(key, aText),
    },
  }
}

function urlOf({ name, path }: Signal, general: TelemetryOptions, variables: VariableReader): string {
  if (general.url !== undefined) return urlBelow(general.url, path)
  const own = variables.read([`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`], aUrl)
  if (own !== undefined) return own
  return urlBelow(variables.read(['OTEL_EXPORTER_OTLP_ENDPOINT'], aUrl) ?? 'http://localhost:4318', path)
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

const aProxy: VariableGrammar<URL> = {
  parse: (text) => {
    const url = /^\w+:\/\//.test(text) ? text : `http://${text}`
    if (!isReceiverUrl(url)) return undefined
    const { username, password } = new URL(url)
    return decode(username) === undefined || decode(password) === undefined ? undefined : new URL(url)
  },
  expected: 'the URL of a proxy such as "http://proxy:3128"',
  secret: true,
}

const hosts: VariableGrammar<readonly string[]> = {
  parse: (text) =>
    text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((each) => each !== ''),
  expected: 'host names',
}

/**
 * Returns the proxy for a URL by the variables `https_proxy`, `http_proxy` and `no_proxy`, in lower or upper case;
 * `undefined` for a direct connection.
 */
function proxySettings(target: string, variables: VariableReader): ProxySettings | undefined {
  const url = new URL(target)
  const name = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const proxy = variables.read([name, name.toUpperCase()], aProxy)
  if (proxy === undefined || isDirect(url, variables.read(['no_proxy', 'NO_PROXY'], hosts) ?? [])) return undefined
  const { username, password, origin } = proxy
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  return {
    url: new URL(origin),
    headers: username === '' ? {} : { 'Proxy-Authorization': `Basic ${credentials}` },
  }
}

/** An entry is `*`, an address, a host with or without a port, or a domain, which includes all its hosts. */
function isDirect(url: URL, entries: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return entries.some((entry) => {
    if (entry === '*' || entry === host) return true
    const [, name = '', ownPort = port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
    const domain = name.replace(/^\*?\./, '').replace(/^\[|\]$/g, '')
    return domain !== '' && ownPort === port && (host === domain || host.endsWith(`.${domain}`))
  })
}
