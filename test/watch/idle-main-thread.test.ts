import { beforeAll, expect, it } from 'vitest'
import { built } from '../support/built.ts'
import { startService } from './service.ts'

beforeAll(() => void built('build/node_modules/upkeep/dist/node.js'))

it('a main thread that only measures its event loop is shown as waiting by threaddump', async () => {
  const { send } = await startService({})
  for (let dumps = 0; dumps < 5; dumps++) {
    const { body } = await send('threaddump', 'application/json')
    expect(JSON.parse(body).threads).toMatchObject([{ threadName: 'main', threadState: 'WAITING', stackTrace: [] }])
  }
})
