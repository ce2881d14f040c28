import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findHiddenTypes, findUndocumented, formatReport, readPublicApi } from '../../scripts/public-api.mjs'
import { repository } from '../support/package/packed.ts'

const api = readPublicApi(repository)
const entries = [...api.keys()]
const namesOf = (entry: string) => api.get(entry) ?? []

describe.each(entries)('the entry point %s', (entry) => {
  it('matches its report in api/', () => {
    const path = join(repository, 'api', `${entry}.ts`)
    const report = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(report, 'Run: npm run api').toBe(formatReport(entry, namesOf(entry)))
  })
})

describe('upkeep', () => {
  it('exports at most 40 values and 80 types', () => {
    const values = namesOf('index').filter(({ isValue }) => isValue)
    expect(values.length).toBeLessThanOrEqual(40)
    expect(namesOf('index').length - values.length).toBeLessThanOrEqual(80)
  })
})

it('every type of this package that a public declaration mentions is exported by an entry point', () => {
  expect(findHiddenTypes(api)).toEqual([])
})

it('every public name has a doc comment', () => {
  expect(findUndocumented(api)).toEqual([])
})

it('api/ has a report for each entry point and no other', () => {
  const reports = readdirSync(join(repository, 'api')).filter((file) => file !== 'surface.txt')
  expect(reports.sort()).toEqual(entries.map((entry) => `${entry}.ts`).sort())
})
