import { basename } from 'node:path'
import { createManagement } from 'upkeep'
import { describe, expect, it, onTestFinished } from 'vitest'
import { deferred } from '../support/deferred.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const started = 'application.started.time'
const ready = 'application.ready.time'

function manage() {
  const management = createManagement()
  onTestFinished(() => management.close())
  const { meters, availability } = management
  const read = (name: string) => {
    const [snapshot] = meters.snapshot(name)
    return snapshot?.kind === 'gauge' ? snapshot.value : undefined
  }
  return { management, meters, availability, read }
}

describe('the meters of the start of an application', () => {
  it('are registered when the event loop runs, in seconds, with the main module as a tag', async () => {
    const { meters, read } = manage()
    expect([read(started), read(ready)]).toEqual([undefined, undefined])
    const earliest = process.uptime()
    await nextTurn()
    expect(read(started)).toBeGreaterThanOrEqual(earliest)
    expect(read(ready)).toBeGreaterThanOrEqual(read(started) ?? Number.NaN)
    expect(read(ready)).toBeLessThanOrEqual(process.uptime())
    for (const name of [started, ready]) {
      expect([...meters.snapshot(name)][0]?.id).toMatchObject({
        baseUnit: 'seconds',
        tags: [{ key: 'main.application.class', value: basename(process.argv[1] ?? '') }],
      })
    }
  })

  it('measure the time until start-up tasks have completed, and keep it', async () => {
    const { availability, read } = manage()
    const { promise: connected, resolve: connect } = deferred()
    availability.addStartupTask(connected, 'database')
    await nextTurn()
    expect(read(started)).toBeGreaterThan(0)
    expect(read(ready)).toBeUndefined()

    const earliest = process.uptime()
    connect()
    await nextTurn()
    const time = read(ready)
    expect(time).toBeGreaterThanOrEqual(earliest)
    availability.refuseTraffic()
    availability.acceptTraffic()
    expect(read(ready)).toBe(time)
  })

  it('do not count as ready while traffic is refused', async () => {
    const { availability, read } = manage()
    availability.refuseTraffic('warming up')
    availability.acceptTraffic()
    availability.refuseTraffic('warming up again')
    await nextTurn()
    expect(read(ready)).toBeUndefined()
    availability.acceptTraffic()
    expect(read(ready)).toBeGreaterThan(0)
  })

  it('have no tag without a main module', async () => {
    const { argv } = process
    onTestFinished(() => {
      process.argv = argv
    })
    process.argv = [process.execPath]
    const { meters } = manage()
    await nextTurn()
    expect([...meters.snapshot(started)][0]?.id.tags).toEqual([])
  })

  it('are not registered after the management is closed', async () => {
    const { management, meters } = manage()
    management.close()
    await nextTurn()
    expect(meters.names().filter((name) => name.startsWith('application.'))).toEqual([])
  })
})
