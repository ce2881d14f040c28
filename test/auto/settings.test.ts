import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/auto/settings/auto-options.ts'
import { readSettings } from '../../src/auto/settings/read-settings.ts'
import { folderWith } from '../support/folder-with.ts'

/** Reads settings from variables and from files in a directory of their own. */
async function read(
  environment: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
): Promise<{ readonly settings: Settings; readonly reported: readonly string[]; readonly folder: string }> {
  const folder = await folderWith(files)
  const reported: string[] = []
  const settings = readSettings({
    environment,
    directories: [folder],
    report: (message) => reported.push(message.replaceAll(folder, '…')),
  })
  return { settings, reported, folder }
}

const defaults = {
  port: 8690,
  host: '0.0.0.0',
  server: {},
  token: undefined,
  expose: ['health'],
  conventions: 'micrometer',
  group: undefined,
  discover: undefined,
  readiness: [],
  logTraceIds: false,
  tracing: undefined,
  delay: '5s',
  timeout: '10s',
  management: {},
}

describe('the settings', () => {
  it('have defaults', async () => {
    expect(await read({ PATH: '/bin', UPKEEP_PORT: '' })).toMatchObject({ settings: defaults, reported: [] })
  })

  it('are read from variables', async () => {
    const { settings, reported } = await read({
      UPKEEP_PORT: '9000',
      UPKEEP_HOST: '::1',
      UPKEEP_TOKEN: ' s3cret ',
      UPKEEP_TLS_CERT_FILE: '/tls/tls.crt',
      UPKEEP_TLS_KEY_FILE: '/tls/tls.key',
      UPKEEP_TLS_CLIENT_CA_FILE: '/tls/ca.crt',
      UPKEEP_MAX_CONNECTIONS: '100',
      UPKEEP_MAX_CONNECTIONS_PER_ADDRESS: '10',
      UPKEEP_AUDIT_FILE: '/log/audit.jsonl',
      UPKEEP_EXPOSE: 'info, prometheus,',
      UPKEEP_CONVENTIONS: 'opentelemetry',
      UPKEEP_GROUP: 'orders',
      UPKEEP_LOG_TRACE_IDS: '1',
      UPKEEP_DISCOVER: 'db, redis',
      UPKEEP_READINESS: 'db',
      UPKEEP_ROUTES: '/orders/:id,/users/:name',
      UPKEEP_SHUTDOWN_DELAY: '1s',
      UPKEEP_SHUTDOWN_TIMEOUT: '2s',
      UPKEEP_START: 'server',
      UPKEEP_SHUTDOWN: 'graceful',
    })
    expect(reported).toEqual([])
    expect(settings).toEqual({
      port: 9000,
      host: '::1',
      server: {
        tls: { certFile: '/tls/tls.crt', keyFile: '/tls/tls.key', clientCaFile: '/tls/ca.crt' },
        maxConnections: 100,
        maxConnectionsPerAddress: 10,
      },
      token: 's3cret',
      expose: ['health', 'info', 'prometheus'],
      conventions: 'opentelemetry',
      group: 'orders',
      discover: ['db', 'redis'],
      readiness: ['db'],
      logTraceIds: true,
      routes: ['/orders/:id', '/users/:name'],
      tracing: undefined,
      delay: '1s',
      timeout: '2s',
      management: { audit: { file: '/log/audit.jsonl' } },
    })
  })

  it.each([
    ['upkeep.config.json', '{ "port": 9001, "shutdown": { "delay": "1s", "timeout": "3s" } }'],
    ['upkeep.config.cjs', "module.exports = { port: 9001, shutdown: { delay: '1s', timeout: '3s' } }"],
    ['upkeep.config.mjs', "export default { port: 9001, shutdown: { delay: '1s', timeout: '3s' } }"],
  ])('are read from %s, over which variables take precedence', async (name, text) => {
    const { settings, reported } = await read({ UPKEEP_SHUTDOWN_DELAY: '2s' }, { [name]: text })
    expect(reported).toEqual([])
    expect(settings).toEqual({ ...defaults, port: 9001, delay: '2s', timeout: '3s' })
  })

  it('are read from the file of UPKEEP_CONFIG', async () => {
    const folder = await folderWith({ 'other.json': '{ "port": 9002 }' })
    const { settings } = await read(
      { UPKEEP_CONFIG: join(folder, 'other.json') },
      { 'upkeep.config.json': '{ "port": 9001, "group": "orders" }' },
    )
    expect(settings).toEqual({ ...defaults, port: 9002 })
  })
})

describe('a setting that is invalid', () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
    [{ UPKEEP_PORT: '80a' }, 'UPKEEP_PORT: expected a port from 1 to 65535, received "80a"'],
    [{ UPKEEP_PORT: '70000' }, 'UPKEEP_PORT: expected a port from 1 to 65535, received 70000'],
    [{ UPKEEP_CONVENTIONS: 'otel' }, 'UPKEEP_CONVENTIONS: expected "micrometer" or "opentelemetry", received "otel"'],
    [{ UPKEEP_LOG_TRACE_IDS: 'yes' }, 'UPKEEP_LOG_TRACE_IDS: expected true or false, received "yes"'],
    [{ UPKEEP_ROUTES: 'orders' }, 'UPKEEP_ROUTES: expected a path such as "/orders/:id", received "orders"'],
    [{ UPKEEP_SHUTDOWN_DELAY: '5' }, 'UPKEEP_SHUTDOWN_DELAY: expected a duration such as "5s", received "5"'],
    [
      { UPKEEP_DISCOVER: 'mysql' },
      'UPKEEP_DISCOVER: expected one of db, kafka, mongo, nats, rabbit, redis, diskSpace, received "mysql"',
    ],
    [{ UPKEEP_START: 'now' }, 'UPKEEP_START: expected "server" or "always", received "now"'],
    [{ UPKEEP_SHUTDOWN: 'true' }, 'UPKEEP_SHUTDOWN: expected "off" or "graceful", received "true"'],
    [{ UPKEEP_POTR: '1' }, 'UPKEEP_POTR: unknown variable'],
  ]

  it.each(cases)('is reported, and has its default: %j', async (environment, message) => {
    const { settings, reported } = await read(environment)
    expect(reported).toEqual([message])
    expect(settings).toEqual(defaults)
  })

  it('does not show a token', async () => {
    const { settings, reported } = await read({ UPKEEP_TOKEN: 'two words' })
    expect(reported).toEqual(['UPKEEP_TOKEN: expected visible ASCII characters without white space, received a string'])
    expect(settings.token).toBeUndefined()
  })

  it('is not replaced by a host that is open to more', async () => {
    const { settings, reported } = await read({ UPKEEP_HOST: '127.0.0.1/8' })
    expect(reported).toEqual(['UPKEEP_HOST: expected an IP address or the name of a host, received "127.0.0.1/8"'])
    expect(settings.host).toBeUndefined()
  })

  it('is not replaced by endpoints that show more', async () => {
    const { settings, reported } = await read({ UPKEEP_TOKEN: 's3cret', UPKEEP_EXPOSE: 'info,metricz' })
    expect(reported).toEqual([expect.stringMatching(/^UPKEEP_EXPOSE: expected one of health, .*, received "metricz"$/)])
    expect(settings.expose).toEqual(['health'])
  })

  it('of a file does not affect the others in it', async () => {
    const config = { port: '9001', group: 'orders', shutdwon: {}, shutdown: { delay: 5 } }
    const { settings, reported } = await read({}, { 'upkeep.config.json': JSON.stringify(config) })
    expect(settings).toEqual({ ...defaults, group: 'orders' })
    expect([...reported].sort()).toEqual([
      '…/upkeep.config.json: port: expected a port from 1 to 65535, received "9001"',
      '…/upkeep.config.json: shutdown.delay: expected a duration such as "5s", received 5',
      '…/upkeep.config.json: unknown option "shutdwon"; did you mean "shutdown"?',
    ])
  })

  it.each([
    ['upkeep.config.json', '{ "port": '],
    ['upkeep.config.cjs', "throw new Error('bug')"],
    ['upkeep.config.mjs', 'export default await { port: 9001 }'],
  ])('because its file cannot be loaded leaves the defaults: %s', async (name, text) => {
    const { settings, reported } = await read({}, { [name]: text })
    expect(settings).toEqual(defaults)
    expect(reported).toEqual([
      expect.stringContaining(`…/${name}: expected a file that can be loaded by require() and exports an object: `),
    ])
  })

  it('of a certificate serve nothing, since without it the token would be sent in clear text', async () => {
    const files = { 'upkeep.config.json': '{ "tls": { "certFile": 5 } }' }
    const { settings, reported } = await read({}, files)
    expect(settings.host).toBe(undefined)
    expect(reported).toEqual(['…/upkeep.config.json: tls.certFile: expected the path of a file, received 5'])
  })

  it.each(['5', 'null', '[]'])('because its file contains no object leaves the defaults: %s', async (text) => {
    const { settings, reported } = await read({}, { 'upkeep.config.json': text })
    expect(settings).toEqual(defaults)
    expect(reported).toHaveLength(1)
  })
})
