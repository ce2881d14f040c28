import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { load } from '../../bench/harness.mjs'
import { repository } from '../support/package/packed.ts'

const folder = join(repository, 'bench')

/** Returns what the benchmarks load by name: `const { counter, timer } = await load('upkeep/metrics')`. */
function loaded() {
  const files = readdirSync(folder).filter((file) => /\.(mjs|ts)$/.test(file))
  return files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/const \{ ([^}]+) \} = await load\('([^']+)'\)/g)].map(
      ([, names = '', module = '']) => [file, module, names.split(', ')] as const,
    ),
  )
}

it.each(loaded())('bench/%s loads names that %s exports', async (_file, module, names) => {
  expect(Object.keys(await load(module))).toEqual(expect.arrayContaining(names))
})
