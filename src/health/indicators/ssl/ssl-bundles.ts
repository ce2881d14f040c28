import { kindOf } from '../../../base/callback.ts'
import { type Clock, systemClock } from '../../../base/clock.ts'
import { type Duration, durationMilliseconds } from '../../../base/duration.ts'
import { describeError } from '../../../base/error-text.ts'
import { invalidOption } from '../../../base/errors.ts'
import { requireKnownOptions } from '../../../base/known-options.ts'
import type { MeterRegistry } from '../../../metrics/meter-registry.ts'
import type { HealthCheck } from '../../indicator.ts'
import { type ParsedCertificate, parseChain, type ShownCertificate, showCertificate, statusAt } from './certificate.ts'

/**
 * Certificates of a server: a server of node:https, node:tls or node:http2 whose option `cert` is in PEM, or an object
 * with such a `cert`. It is read again each time, so that a renewed certificate of `setSecureContext` is seen.
 */
export interface CertifiedServer {
  readonly cert?: PemCertificates | undefined
}

/** Certificates in PEM. */
export type PemCertificates = string | Uint8Array | readonly (string | Uint8Array)[]

/** A chain of certificates, that of the server first. */
export interface ShownChain {
  readonly alias: string
  readonly certificates: readonly ShownCertificate[]
}

/** The chains of one server, as `info` shows them. */
export interface ShownBundle {
  readonly name: string
  readonly certificateChains: readonly ShownChain[]
  readonly trustStoreCertificateChains: readonly ShownChain[]
}

/** Options of `sslBundles`. */
export interface SslBundlesOptions {
  /** How long before its end a chain counts as expiring. @default '14d' */
  readonly expiresWithin?: Duration | undefined
  /** @default the system's */
  readonly clock?: Clock | undefined
}

/** The certificates of an application's servers. */
export interface SslBundles {
  /** Returns the certificates of all servers. A server whose certificates cannot be read has no chains. */
  bundles(): readonly ShownBundle[]
  /**
   * A health indicator: `OUT_OF_SERVICE` if a certificate is not valid or cannot be read. Details: `validChains`,
   * `invalidChains`, and `expiringChains`, which are valid, too.
   */
  readonly indicator: HealthCheck
  /**
   * Registers the gauge `ssl.chain.expiry` of each chain: the seconds until its first certificate expires, negative
   * afterwards. Returns a function that removes them. Called by `createManagement`.
   */
  measure(meters: MeterRegistry): () => void
}

/**
 * Reads the certificates of servers by name, for `info`, health and metrics: `sslBundles({ web: httpsServer })`.
 *
 * @throws TypeError for anything that has no member `cert`; RangeError if `expiresWithin` is malformed.
 */
export function sslBundles(
  servers: Readonly<Record<string, CertifiedServer>>,
  options: SslBundlesOptions = {},
): SslBundles {
  requireKnownOptions('sslBundles', options, ['expiresWithin', 'clock'], {
    foreignNames: {
      expiringWithin: 'expiresWithin',
      chainExpiryWarningThreshold: 'expiresWithin',
      warningThreshold: 'expiresWithin',
    },
  })
  const { expiresWithin = '14d', clock = systemClock } = options
  const soon = durationMilliseconds(expiresWithin, 'sslBundles: expiresWithin')
  const entries = Object.entries(servers)
  for (const [name, server] of entries) {
    if (typeof server === 'object' && server !== null && 'cert' in server) continue
    throw invalidOption(`sslBundles: ${name}: expected a server or an object with "cert", received ${kindOf(server)}`)
  }
  const readers = entries.map(([name, server]) => ({ name, read: createReader(server) }))

  return {
    bundles: () =>
      readers.map(({ name, read }) => ({
        name,
        certificateChains: chainsOf(name, read, clock.wallTime()),
        trustStoreCertificateChains: [],
      })),
    indicator: () => {
      const now = clock.wallTime()
      const details: Record<'expiringChains' | 'invalidChains' | 'validChains', object[]> = {
        expiringChains: [],
        invalidChains: [],
        validChains: [],
      }
      for (const { name, read } of readers) {
        try {
          const chain = read()
          const shown = { alias: name, certificates: chain.map((each) => showCertificate(each, now)) }
          const isValid = chain.every((each) => statusAt(each, now) === 'VALID')
          details[isValid ? 'validChains' : 'invalidChains'].push(shown)
          if (isValid && endOf(chain) - now <= soon) details.expiringChains.push(shown)
        } catch (error) {
          details.invalidChains.push({ alias: name, certificates: [], error: describeError(error) })
        }
      }
      return { status: details.invalidChains.length === 0 ? 'UP' : 'OUT_OF_SERVICE', details }
    },
    measure(meters) {
      const gauges = readers.flatMap(({ name, read }) => {
        const [leaf] = attempt(read) ?? []
        const tags = { bundle: name, certificate: leaf?.serialNumber ?? 'unknown', chain: name, source: 'keystore' }
        const seconds = () => (endOf(read()) - clock.wallTime()) / 1_000
        const description = 'Seconds until a certificate of the chain expires'
        return leaf === undefined
          ? []
          : [meters.gauge('ssl.chain.expiry', tags, seconds, { description, baseUnit: 'seconds' })]
      })
      return () => {
        for (const gauge of gauges) meters.remove(gauge)
      }
    },
  }
}

type Read = () => readonly ParsedCertificate[]

/** Returns a function that parses the certificates of a server, once as long as they are the same. */
function createReader(server: CertifiedServer): Read {
  let latest: { readonly cert: unknown; readonly chain: readonly ParsedCertificate[] } | undefined
  return () => {
    const { cert } = server
    if (latest === undefined || latest.cert !== cert) latest = { cert, chain: parseChain(textOf(cert)) }
    return latest.chain
  }
}

function textOf(cert: unknown): string {
  const parts: readonly unknown[] = Array.isArray(cert) ? cert : [cert]
  return parts
    .map((part) =>
      part instanceof Uint8Array ? Buffer.from(part).toString('latin1') : typeof part === 'string' ? part : '',
    )
    .join('\n')
}

function chainsOf(alias: string, read: Read, now: number): readonly ShownChain[] {
  const chain = attempt(read)
  return chain === undefined ? [] : [{ alias, certificates: chain.map((each) => showCertificate(each, now)) }]
}

function attempt(read: Read): readonly ParsedCertificate[] | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Returns when the first certificate of a chain expires. */
function endOf(chain: readonly ParsedCertificate[]): number {
  return Math.min(...chain.map(({ endsAt }) => endsAt))
}
