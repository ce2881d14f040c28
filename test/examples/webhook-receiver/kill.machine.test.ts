import { describe, expect, it } from 'vitest'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { useFreshFolders } from './support/fresh-folder.ts'
import { post } from './support/http-client.ts'
import { openPrepared } from './support/open-prepared.ts'
import { keepReceivers, keyOf, originOf, type ReceiverProcess, stopProcess } from './support/receiver-process.ts'

interface Ledger {
  readonly sent: Set<string>
  readonly acknowledged: Set<string>
}

const posters = 8

/**
 * Posts from several sides at once, and kills the receiver in the moment in which the given acknowledgement is read.
 */
async function killAfter(acknowledgements: number, receiver: ReceiverProcess, key: string, ledger: Ledger) {
  const origin = await originOf(receiver)
  const enough = ledger.acknowledged.size + acknowledgements
  const keepPosting = async () => {
    for (let sent = 0; sent <= acknowledgements; sent++) {
      const text = `message ${ledger.sent.size}`
      ledger.sent.add(text)
      const reply = await post(origin, key, text).catch(() => undefined)
      if (reply?.body !== 'ok') return
      ledger.acknowledged.add(text)
      if (ledger.acknowledged.size >= enough) receiver.process.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: posters }, keepPosting))
  expect(await receiver.ended).toBe('SIGKILL')
}

async function killRepeatedly(kills: number, environment: Readonly<Record<string, string>>): Promise<Ledger> {
  const ledger: Ledger = { sent: new Set(), acknowledged: new Set() }
  const receivers = keepReceivers()
  try {
    let receiver = receivers.start(environment)
    const key = await keyOf(receiver)
    for (let kill = 0; kill < kills; kill++) {
      await killAfter(1 + ((kill * 13) % 40), receiver, key, ledger)
      receiver = receivers.start(environment)
    }
    await originOf(receiver)
    expect(await stopProcess(receiver)).toBe(0)
    return ledger
  } finally {
    await receivers.endAll()
  }
}

/** Checks that what was acknowledged is stored once, and nothing is stored that was not sent, or stored twice. */
async function expectKept({ sent, acknowledged }: Ledger, settings: Parameters<typeof openPrepared>[0]) {
  const database = await openPrepared(settings, () => {})
  const stored = (await database.query<{ text: string }>('select text from messages')).map(({ text }) => text)
  await database.close()
  const once = new Set(stored)
  expect(stored).toHaveLength(once.size)
  expect([...acknowledged].filter((text) => !once.has(text))).toEqual([])
  expect([...once].filter((text) => !sent.has(text))).toEqual([])
}

describe('kill -9 immediately after an acknowledgement', () => {
  const freshFolder = useFreshFolders()

  it('loses no message in PGlite, 20 times', { timeout: 600_000 }, async () => {
    const dataDir = await freshFolder()
    const ledger = await killRepeatedly(20, { DATA_DIR: dataDir })
    expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(20)
    await expectKept(ledger, { dataDir, databaseUrl: undefined })
  })
})

describePostgres((server) => {
  it('loses no message in PostgreSQL, 20 times', { timeout: 600_000 }, async () => {
    const databaseUrl = await createTestDatabase(server())
    const ledger = await killRepeatedly(20, { DATABASE_URL: databaseUrl })
    expect(ledger.acknowledged.size).toBeGreaterThanOrEqual(20)
    await expectKept(ledger, { dataDir: '.', databaseUrl })
  })
})
