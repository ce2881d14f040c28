import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsumer } from '../../support/package/consumer.ts'
import { unpackPackage } from '../../support/package/packed.ts'
import { doctor, write } from './run-doctor.ts'

const packed = unpackPackage()
afterAll(packed.remove)
const folder = createConsumer(packed, [])

beforeAll(() => {
  write(folder, {
    'package.json': '{"private":true,"dependencies":{"upkeep":"*"}}',
    'worker.mjs': "import { createManagement } from 'upkeep'\ncreateManagement()\nsetInterval(() => {}, 1000)",
    'restless.mjs': `import { createServer } from 'node:net'
      setInterval(() => { const server = createServer().listen(0, '127.0.0.1', () => server.close()) }, 50)`,
  })
})

// In each of them the program has to be there before the limit, for which the command waits.
describe('upkeep doctor with a limit', () => {
  it('checks a program that does not listen as far as it can', async () => {
    const { code, outcomes } = await doctor(folder, ['worker.mjs', '--timeout', '5s'])
    const reasons = new Map(outcomes.map(({ check, reason }) => [check, reason]))
    expect([code, reasons.get('requests'), reasons.get('liveness')]).toEqual([
      0,
      'the program has not listened on a port',
      undefined,
    ])
  })

  it('ends if the program opens and closes servers for ever', async () => {
    const { outcomes } = await doctor(folder, ['restless.mjs', '--timeout', '5s', '--container'])
    expect(outcomes.find(({ check }) => check === 'address')?.reason).toBe('the program has not listened on a port')
  })
})
