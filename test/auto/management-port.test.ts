import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'
import { eventually } from '../support/eventually.ts'
import { cert, key, otherCert, otherKey } from '../support/localhost-certificate.ts'

const files = {
  'app.mjs': httpProgram,
  ...{ 'tls/tls.crt': cert, 'tls/tls.key': key, 'tls/ca.crt': otherCert },
}
const certificate = { UPKEEP_TLS_CERT_FILE: 'tls/tls.crt', UPKEEP_TLS_KEY_FILE: 'tls/tls.key' }

async function send(port: number, path: string, client: object = {}, body = ''): Promise<number> {
  const options = { port, host: '127.0.0.1', servername: 'localhost', path, ca: cert, agent: false }
  const [response] = await once(request({ ...options, ...client }).end(body), 'response')
  response.resume()
  await once(response, 'close')
  return response.statusCode
}

describe('the port of the management', () => {
  it('serves HTTPS, and audits to a file', async () => {
    const application = await writeApplication(files)
    const audit = join(application.folder, 'audit.jsonl')
    const child = application.start({ env: { ...certificate, UPKEEP_TOKEN: 's3cret', UPKEEP_AUDIT_FILE: audit } })
    await child.err.line(/health at https:\/\/127\.0\.0\.1:\d+\/management\/health/)
    const headers = { host: 'localhost', authorization: 'Bearer s3cret', 'content-type': 'application/json' }
    expect(await send(application.port, '/livez', { headers })).toBe(200)
    const change = JSON.stringify({ probability: 1 })
    expect(await send(application.port, '/management/tracing', { headers, method: 'POST' }, change)).toBeLessThan(500)
    await eventually(() =>
      expect(JSON.parse(readFileSync(audit, 'utf8'))).toMatchObject({ type: 'change', endpoint: 'tracing' }),
    )
  })

  it('requires a certificate of clients if their authority is configured', async () => {
    const application = await writeApplication(files)
    const child = application.start({ env: { ...certificate, UPKEEP_TLS_CLIENT_CA_FILE: 'tls/ca.crt' } })
    await child.err.line(/health at https:/)
    const headers = { host: 'localhost' }
    expect(await send(application.port, '/livez', { headers, cert: otherCert, key: otherKey })).toBe(200)
    await expect(send(application.port, '/livez', { headers })).rejects.toThrow()
  })

  it.each([
    [
      'without its key',
      { UPKEEP_TLS_KEY_FILE: '' },
      /: listen: tls: keyFile: expected the path of a file in PEM format$/,
    ],
    [
      'that is missing',
      { UPKEEP_TLS_CERT_FILE: 'no.crt' },
      /: listen: tls: certFile: expected a file that can be read: /,
    ],
  ])('serves nothing with a certificate %s', async (_what, env, message) => {
    const application = await writeApplication(files)
    const child = application.start({ env: { ...certificate, ...env } })
    await child.err.line(/^upkeep: health is not served/)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect(upkeepLines(child)).toEqual([expect.stringMatching(message)])
  })

  it('closes connections beyond the limit of an address', async () => {
    const application = await writeApplication(files)
    const child = application.start({ env: { UPKEEP_MAX_CONNECTIONS_PER_ADDRESS: '1' } })
    await child.err.line(/health at/)
    const first = connect(application.port, '127.0.0.1')
    await once(first, 'connect')
    const second = connect(application.port, '127.0.0.1').on('error', () => {})
    await Promise.all([once(second, 'close'), child.err.line(/a connection was closed: maxConnectionsPerAddress is 1/)])
    first.destroy()
  })
})
