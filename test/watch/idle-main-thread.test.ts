import { beforeAll, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

it('a main thread that only measures its event loop is shown as waiting by threaddump', async () => {
  const { send } = await startService({})
  // Some dumps meet it at work: it handles their requests.
  const state = async () => JSON.parse((await send('threaddump', 'application/json')).body).threads[0].threadState
  await expect.poll(state).toBe('WAITING')
})
