import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { json, sendRequest } from './support/http-client.ts'
import { operate } from './support/operator-client.ts'
import { keepReceivers, keyOf, originOf } from './support/receiver-process.ts'

/** Runs a command where `folder` is a small disk of its own, in memory. */
const onSmallDisk = (folder: string, size: string) => [
  'unshare',
  // Root mounts without a user namespace, which a chroot does not permit.
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs -o size="$2" none "$1" && shift 2 && exec "$@"',
  'sh',
  folder,
  size,
]

function canMount(): boolean {
  try {
    const [command = '', ...words] = [...onSmallDisk(tmpdir(), '1m'), 'true']
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') return true
    console.warn('SKIPPED: unshare and mount are not permitted here, so a full disk is not tested')
    return false
  }
}

describe.skipIf(!canMount())('a receiver whose disk gets full', () => {
  const receivers = keepReceivers()
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'receiver-'))
  })
  afterEach(async () => {
    await receivers.endAll()
    await rm(dataDir, { recursive: true })
  })

  it('refuses messages before it is full, is alive and not ready, shows stored messages, and can be stopped', {
    timeout: 600_000,
  }, async () => {
    const within = onSmallDisk(dataDir, '320m')
    const large = { MAX_BODY_BYTES: '10485760', MAX_TEXT_LENGTH: '10485760', MESSAGES_PER_MINUTE: '0' }
    const receiver = receivers.start({ DATA_DIR: dataDir, MANAGEMENT_TOKEN: 'a-token', ...large }, { within })
    const origin = await originOf(receiver)
    const key = await keyOf(receiver)
    const send = async () => {
      // Random, since a text is stored compressed.
      const text = Array.from({ length: 400_000 }, () => Math.random().toString(36).slice(2, 7)).join('')
      return sendRequest(origin, { path: `/hooks/${key}`, headers: json, body: JSON.stringify({ text }) })
    }
    let stored = 0
    let reply = await send()
    for (; reply.status === 200 && stored < 500; reply = await send()) stored++
    expect(stored).toBeGreaterThan(0)
    for (let time = 0; time < 3; time++) {
      expect(reply.status).toBe(503)
      expect(reply.headers['retry-after']).toBe('5')
      reply = await send()
    }

    const probe = async (name: string) =>
      (await sendRequest(origin, { method: 'GET', path: `/management/health/${name}` })).status
    expect(await probe('liveness')).toBe(200)
    expect(await probe('readiness')).toBe(503)
    expect((await operate(origin, 'GET', '/management/health')).body).toContain('less than 128 MiB are free')
    const [{ id }] = (await operate(origin, 'GET', '/hooks')).content
    expect((await operate(origin, 'GET', `/hooks/${id}/messages?pageSize=100&fields=id`)).content).toHaveLength(stored)
    expect((await operate(origin, 'POST', '/hooks', {})).status).toBe(503)

    receiver.process.kill('SIGTERM')
    expect(await receiver.ended).toBe(0)
  })
})
