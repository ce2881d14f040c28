import { amqp, mongodb, mysql, postgres, redis } from 'upkeep/health'
import { describe, expect, it } from 'vitest'

const never = new AbortController().signal
const latency = expect.any(String)

describe('the name of a database server', () => {
  it.each([
    ['PostgreSQL 15.6 (Debian 15.6-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc', 'PostgreSQL 15.6'],
    ['PostgreSQL 18beta1 on aarch64-apple-darwin', 'PostgreSQL 18beta1'],
    ['CockroachDB CCL v23.1.14 (x86_64-pc-linux-gnu, built 2024/01/09)', 'CockroachDB 23.1.14'],
    ['something else', 'something else'],
  ])('postgres: %s', async (version, database) => {
    const client = { query: async (text: string) => ({ rows: text.includes('version') ? [{ version }] : [] }) }

    expect(await postgres(client)(never)).toMatchObject({ status: 'UP', details: { database } })
  })

  it.each([
    ['8.0.36', 'MySQL 8.0.36'],
    ['8.4.2-commercial', 'MySQL 8.4.2'],
    ['10.11.6-MariaDB-0+deb12u1', 'MariaDB 10.11.6'],
    ['5.5.5-10.11.6-MariaDB-log', 'MariaDB 10.11.6'],
    ['unknown', 'MySQL unknown'],
  ])('mysql: %s', async (version, database) => {
    const client = {
      query: async (text: string): Promise<[unknown]> => [text.includes('VERSION') ? [{ version }] : []],
    }

    expect(await mysql(client)(never)).toMatchObject({ status: 'UP', details: { database } })
  })

  it.each([
    ['# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n', 'Redis 7.0.15'],
    ['# Server\r\nredis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\n', 'Valkey 8.0.1'],
    ['# Server\r\nredis_version:7.4.0\r\ndragonfly_version:df-v1.27.1\r\n', 'Dragonfly df-v1.27.1'],
  ])('redis: %j', async (info, server) => {
    const client = { ping: async () => 'PONG', info: async () => info }

    expect(await redis(client)(never)).toEqual({ status: 'UP', details: { server, latency } })
  })

  it('is UP without a name if the server does not return one', async () => {
    const silent = async () => Promise.reject(new Error('no permission'))

    expect(await redis({ ping: async () => 'PONG', info: silent })(never)).toEqual({
      status: 'UP',
      details: { latency },
    })
    expect(
      await postgres({ query: async (text) => (text.includes('version') ? silent() : { rows: [] }) })(never),
    ).toEqual({ status: 'UP', details: { validationQuery: 'SELECT 1', latency } })
    expect(await postgres({ query: async () => ({ rows: [] }) })(never)).toEqual({
      status: 'UP',
      details: { validationQuery: 'SELECT 1', latency },
    })
    expect(await mongodb({ command: async () => ({ ok: 1 }) })(never)).toEqual({ status: 'UP', details: { latency } })
    expect(
      await amqp({
        createChannel: async () => ({ close: async () => {}, on: () => {}, connection: { serverProperties: {} } }),
      })(never),
    ).toEqual({ status: 'UP', details: { latency } })
  })
})

describe('a Redis client without a connection is DOWN immediately', () => {
  const unused = {
    ping: () => Promise.reject(new Error('not asked')),
    info: () => Promise.reject(new Error('not asked')),
  }

  it.each(['close', 'reconnecting', 'disconnecting', 'end'])('ioredis: %s', async (status) => {
    expect(await redis({ ...unused, status })(never)).toEqual({
      status: 'DOWN',
      details: { error: `Error: not connected (${status})` },
    })
  })

  it('node-redis', async () => {
    expect(await redis({ ...unused, isReady: false })(never)).toEqual({
      status: 'DOWN',
      details: { error: 'Error: not connected' },
    })
  })
})
