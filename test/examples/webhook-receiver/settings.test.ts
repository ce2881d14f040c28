import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../../../examples/webhook-receiver/settings.ts'

describe('readSettings', () => {
  const defaults = {
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    managementToken: undefined,
    build: 'local',
    longestBody: 65_536,
    longestText: 65_536,
    messagesPerMinute: 6_000,
    signatureToleranceSeconds: 300,
    keyOverlapSeconds: 86_400,
    shutdownDelay: '0s',
    logFormat: 'text',
    logLevel: 'INFO',
    telemetryUrl: undefined,
  }

  it('has defaults for everything', () => {
    expect(readSettings({})).toEqual(defaults)
  })

  it('treats an empty variable as unset', () => {
    const empty = { PORT: '', HOST: '', DATA_DIR: '', DATABASE_URL: '', MANAGEMENT_TOKEN: '', BUILD_ID: '' }
    expect(readSettings(empty)).toEqual(defaults)
  })

  it.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65_535 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'localhost', { host: 'localhost' }],
    ['HOST', 'my-host.example.com', { host: 'my-host.example.com' }],
    ['DATA_DIR', '/var/lib/receiver', { dataDir: '/var/lib/receiver' }],
    ['DATA_DIR', 'a folder', { dataDir: resolve('a folder') }],
    ['DATABASE_URL', 'postgres://a:b@c:5432/d', { databaseUrl: 'postgres://a:b@c:5432/d' }],
    ['DATABASE_URL', 'postgresql://c/d?sslmode=require', { databaseUrl: 'postgresql://c/d?sslmode=require' }],
    ['MANAGEMENT_TOKEN', 'c2VjcmV0LXRva2Vu=', { managementToken: 'c2VjcmV0LXRva2Vu=' }],
    ['BUILD_ID', '6f2eaa7', { build: '6f2eaa7' }],
    ['MAX_BODY_BYTES', '1048576', { longestBody: 1_048_576 }],
    ['MAX_TEXT_LENGTH', '4000', { longestText: 4_000 }],
    ['LOG_FORMAT', 'json', { logFormat: 'json' }],
    ['LOG_LEVEL', 'DEBUG', { logLevel: 'DEBUG' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'DEBUG' }],
    ['LOG_FORMAT', 'JSON', { logFormat: 'json' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c:4318', { telemetryUrl: 'http://c:4318' }],
    ['KEY_OVERLAP_SECONDS', '0', { keyOverlapSeconds: 0 }],
    ['SHUTDOWN_DELAY', '5s', { shutdownDelay: '5s' }],
    ['MESSAGES_PER_MINUTE', '0', { messagesPerMinute: 0 }],
    ['SIGNATURE_TOLERANCE_SECONDS', '60', { signatureToleranceSeconds: 60 }],
  ])('reads %s=%s', (name, text, expected) => {
    expect(readSettings({ [name]: text })).toEqual({ ...defaults, ...expected })
  })

  it.each([
    ['PORT', ['http', '-1', '65536', '3000.5', '0x10', '3e3', ' 3000', '99999999', '٣', 'NaN'], '0 to 65535'],
    ['HOST', ['http://a', 'a:3000', 'a b', '[::1]', '-a', 'a..b', '1.2.3', '256.1.1.1', '/tmp/a', '*'], 'host name'],
    ['DATA_DIR', [' ', 'a\0b', 'file:///data'], 'path of a folder'],
    ['DATABASE_URL', ['db', '/var/run', 'mysql://a/b', 'http://a/b', 'postgres//a', '127.0.0.1:5432'], 'postgres://'],
    ['MANAGEMENT_TOKEN', ['a b', 'a\n', 'é', '\t'], 'visible ASCII'],
    ['LOG_FORMAT', ['xml', 'json '], 'text or json'],
    ['LOG_LEVEL', ['loud', 'FATAL'], 'one of OFF, ERROR'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['collector:4318', 'grpc://a'], 'http or https'],
    ['KEY_OVERLAP_SECONDS', ['-1', '1.5', '31536001'], 'from 0 to 31536000'],
    ['BUILD_ID', ['a b', 'a\r\nX: y', 'é', 'a'.repeat(65)], 'letters, digits'],
  ])('rejects invalid values of %s, with what is expected', (name, texts, mayBe) => {
    for (const text of texts) {
      expect(() => readSettings({ [name]: text }), text).toThrow(RangeError)
      expect(() => readSettings({ [name]: text }), text).toThrow(new RegExp(`^${name} must be .*${mayBe}`))
    }
  })

  it('reports all invalid variables at once, without their values', () => {
    const environment = { PORT: 'a', HOST: 'b b', DATABASE_URL: 'mysql://user:s3cret@host/db' }
    let message = ''
    try {
      readSettings(environment)
    } catch (error) {
      message = (error as Error).message
    }
    expect(message.split('\n').map((line) => line.split(' ')[0])).toEqual(['PORT', 'HOST', 'DATABASE_URL'])
    expect(message).not.toContain('s3cret')
  })
})
