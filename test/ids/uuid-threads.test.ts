import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildIds } from '../support/built-ids.ts'

let built: Awaited<ReturnType<typeof buildIds>>

beforeAll(async () => {
  built = await buildIds()
})

afterAll(() => rm(built.folder, { recursive: true }))

/**
 * Resolves with what a worker thread posts that runs this code, in which `load(name)` imports a file of `src/ids/uuid`.
 */
async function runInThread<Answer>(code: string): Promise<Answer> {
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads')
     const load = (name) => import(workerData + name + '.mjs')
     const main = async () => { ${code} }
     main().then((answer) => parentPort.postMessage(answer))`,
    { eval: true, workerData: built.url },
  )
  const [answer] = await once(worker, 'message')
  await worker.terminate()
  return answer
}

it.each(['uuid-v1:uuidV1', 'uuid-v4:uuidV4', 'uuid-v6:uuidV6', 'uuid-v7:uuidV7'])(
  'creates no UUID twice in four threads: %s',
  async (name) => {
    const [file, generator] = name.split(':')
    const code = `const { ${generator} } = await load('${file}'); return Array.from({ length: 50_000 }, ${generator})`
    const all = await Promise.all(Array.from({ length: 4 }, () => runInThread<string[]>(code)))
    expect(new Set(all.flat()).size).toBe(200_000)
    if (generator === 'uuidV6' || generator === 'uuidV7') {
      for (const ids of all) expect(ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? ''))).toBe(true)
    }
  },
)

it('preserves the order when the count is exhausted and the time moves ahead', async () => {
  const ids = await runInThread<string[]>(`
    const { createUuidV7 } = await load('uuid-v7')
    let reading = 0
    const clock = { wallTime: () => reading, monotonicTime: () => 0 }
    const words = [0x1ffffff]
    const random = { fill: (bytes) => bytes.fill(0) && new Int32Array(bytes.buffer).set(words.splice(0)) }
    const next = createUuidV7({ clock, random })
    let last
    for (let count = 0x1ffffff; count <= 0x3ffffff; count += 1) last = next()
    const ids = [last, next()]
    reading = 1
    ids.push(next())
    reading = 2
    ids.push(next())
    return ids`)
  expect(ids).toStrictEqual([
    '00000000-0000-7fff-bfff-000000000000',
    '00000000-0001-7000-8000-000000000000',
    '00000000-0001-7000-8001-000000000000',
    '00000000-0002-7000-8000-000000000000',
  ])
})
