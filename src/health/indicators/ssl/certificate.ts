import { invalidArgument } from '../../../base/errors.ts'
import { lazy } from '../../../base/lazy.ts'

const crypto = lazy(() => process.getBuiltinModule('node:crypto'))

/** Whether a certificate is valid now. */
export type CertificateStatus = 'VALID' | 'EXPIRED' | 'NOT_YET_VALID'

/** A certificate, as `info` and health show it. Times are ISO 8601. */
export interface ShownCertificate {
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly version: 'V3'
  readonly signatureAlgorithmName?: string | undefined
  readonly validityStarts: string
  readonly validityEnds: string
  readonly validity: { readonly status: CertificateStatus; readonly message?: string }
}

/** A certificate, with the times of its validity in milliseconds since the epoch. */
export interface ParsedCertificate {
  readonly subject: string
  readonly issuer: string
  readonly serialNumber: string
  readonly signatureAlgorithm: string | undefined
  readonly startsAt: number
  readonly endsAt: number
}

/** A chain is shorter; what follows is ignored. */
const maxCertificates = 20

const begin = '-----BEGIN CERTIFICATE-----'
const end = '-----END CERTIFICATE-----'

/**
 * Returns the certificates of a chain in PEM, that of the server first. Other blocks, such as a private key, are
 * ignored.
 *
 * @throws TypeError if it contains none, or one that cannot be parsed.
 */
export function parseChain(pem: string): readonly ParsedCertificate[] {
  const certificates: ParsedCertificate[] = []
  for (let at = pem.indexOf(begin); at >= 0 && certificates.length < maxCertificates; at = pem.indexOf(begin, at + 1)) {
    const stop = pem.indexOf(end, at)
    if (stop < 0) break
    certificates.push(parseCertificate(pem.slice(at, stop + end.length)))
  }
  if (certificates.length === 0) throw invalidArgument('expected certificates in PEM')
  return certificates
}

function parseCertificate(pem: string): ParsedCertificate {
  const { X509Certificate } = crypto()
  const parsed = new X509Certificate(pem)
  const algorithm: unknown = 'signatureAlgorithm' in parsed ? parsed.signatureAlgorithm : undefined
  return {
    subject: nameOnOneLine(parsed.subject),
    issuer: nameOnOneLine(parsed.issuer),
    serialNumber: parsed.serialNumber.toLowerCase(),
    signatureAlgorithm: typeof algorithm === 'string' ? algorithm : undefined,
    startsAt: Date.parse(parsed.validFrom),
    endsAt: Date.parse(parsed.validTo),
  }
}

/** `CN=orders.example\nO=Example` becomes `CN=orders.example,O=Example`. */
function nameOnOneLine(name: string | undefined): string {
  return (name ?? '').split('\n').join(',')
}

/** Returns whether a certificate is valid at a time. */
export function statusAt({ startsAt, endsAt }: ParsedCertificate, now: number): CertificateStatus {
  return now < startsAt ? 'NOT_YET_VALID' : now > endsAt ? 'EXPIRED' : 'VALID'
}

/** Returns a certificate as it is shown. */
export function showCertificate(certificate: ParsedCertificate, now: number): ShownCertificate {
  const { subject, issuer, serialNumber, signatureAlgorithm, startsAt, endsAt } = certificate
  const [validityStarts, validityEnds] = [new Date(startsAt).toISOString(), new Date(endsAt).toISOString()]
  const status = statusAt(certificate, now)
  const message = {
    VALID: undefined,
    EXPIRED: `Not valid after ${validityEnds}`,
    NOT_YET_VALID: `Not valid before ${validityStarts}`,
  }[status]
  return {
    issuer,
    serialNumber,
    signatureAlgorithmName: signatureAlgorithm,
    subject,
    validity: { status, ...(message !== undefined && { message }) },
    validityEnds,
    validityStarts,
    version: 'V3',
  }
}
