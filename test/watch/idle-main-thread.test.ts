import { beforeAll, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

it('a main thread that only measures its event loop is shown as waiting by threaddump', async () => {
  const { send } = await startService({})
  const states: string[] = []
  // Some dumps meet it at work: it handles their requests.
  for (let dumps = 0; dumps < 10; dumps++) {
    const { body } = await send('threaddump', 'application/json')
    states.push(JSON.parse(body).threads[0].threadState)
  }
  expect(states).toContain('WAITING')
})
