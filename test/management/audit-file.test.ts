import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { appendTo } from '../../src/management/audit-file.ts'
import { folderWith } from '../support/folder-with.ts'

it('at most 1,000 events wait to be written; more are refused until some are', async () => {
  const file = join(await folderWith({}), 'audit.jsonl')
  const append = appendTo(file)
  const waiting = Array.from({ length: 1_000 }, (_, at) => append({ at }))
  await expect(append({ at: 'refused' })).rejects.toMatchObject({
    code: 'UPKEEP_ESTATE',
    message: `${file}: 1000 events wait to be written`,
  })
  await Promise.all(waiting)
  for (let at = 1_000; at < 1_010; at++) await append({ at })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).at)).toEqual(Array.from({ length: 1_010 }, (_, at) => at))
})
