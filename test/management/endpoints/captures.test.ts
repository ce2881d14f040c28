import { bearerToken, createManagement, type ManagementOptions } from 'upkeep'
import { expect, it } from 'vitest'
import { createManagementClient } from '../../support/management-client.ts'

const options: ManagementOptions = { expose: ['captures'], authorize: bearerToken('secret'), recorder: {} }
const headers = { authorization: 'Bearer secret' }

it('captures are not available without a watchdog, in whose thread the flight recorder runs', async () => {
  const { send, management } = createManagementClient(options)
  for (const path of ['captures', 'captures/20260101T000000-memory-0123ab']) {
    const { status, json } = await send(`/management/${path}`, { headers })
    expect([status, json]).toEqual([
      501,
      expect.objectContaining({
        detail: 'Not available: the flight recorder runs in the thread of the watchdog, which has not been started.',
      }),
    ])
  }
  management.close()
})

it('the rules of the recorder end when the management is closed', () => {
  const count = () => process.listenerCount('uncaughtExceptionMonitor')
  const before = count()
  const { management } = createManagementClient(options)
  expect(count()).toBe(before + 1)
  management.close()
  expect(count()).toBe(before)
})

it('captures cannot be exposed without the option recorder', () => {
  const { recorder: _, ...rest } = options
  expect(() => createManagement(rest)).toThrow(
    'createManagement: recorder: expected {} or options of the flight recorder, because "captures" is exposed',
  )
})

it.each<[ManagementOptions['recorder'], string]>([
  [{ blockedLoop: '0s' }, 'recorder.blockedLoop: expected a duration such as "5s" of more than 0, received "0s"'],
  [{ memory: 1 }, 'recorder.memory: expected a number of more than 0 and less than 1, or false, received 1'],
  [{ errorBurst: { count: 0 } }, 'recorder.errorBurst.count: expected a whole number from 1 to 10000, received 0'],
  [{ maximumCaptures: 0 }, 'recorder.maximumCaptures: expected a whole number of 1 or more, received 0'],
  [{ directory: '' }, 'recorder.directory: expected a non-empty string, received ""'],
])('%j is rejected', (recorder, message) => {
  expect(() => createManagement({ ...options, recorder })).toThrow(new TypeError(`createManagement: ${message}`))
})
