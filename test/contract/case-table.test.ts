import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { contract } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { caseTable } from '../../src/cli/contract-command.ts'

const baseUrl = 'http://127.0.0.1'
const all = contract({ baseUrl })

describe('the cases of the contract', () => {
  it('are documented in docs/guides/pipeline.md (regenerate with node scripts/contract-table.mjs)', () => {
    const page = readFileSync(resolve(import.meta.dirname, '../../docs/guides/pipeline.md'), 'utf8')
    expect(page).toContain(
      `<!-- cases -->\n\n${caseTable(all, contract({ baseUrl, profile: 'spring' }))}<!-- end of cases -->`,
    )
  })

  it('have unique ids that start with their area', () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(
      all.filter(({ id, area }) => !/^[a-z]+(\.[a-z0-9-]+(\.\d+)?)+$/.test(id) || !id.startsWith(`${area}.`)),
    ).toEqual([])
  })

  it('are more than 120, each with a requirement level', () => {
    expect(all.length).toBeGreaterThan(120)
    expect(all.filter(({ rule }) => !/\b(MUST|SHOULD|MAY)\b/.test(rule)).map(({ id }) => id)).toEqual([])
    expect(all.filter(({ rule }) => !/^[A-Z0-9].*\.$/.test(rule)).map(({ id }) => id)).toEqual([])
  })

  it('can be selected by area, id and level', () => {
    expect(new Set(contract({ baseUrl, only: ['health', 'trace'] }).map(({ area }) => area))).toEqual(
      new Set(['health', 'trace']),
    )
    expect(contract({ baseUrl, only: ['health.drill-down.unknown-404'] }).map(({ id }) => id)).toEqual([
      'health.drill-down.unknown-404',
    ])
    expect(new Set(contract({ baseUrl, level: 'MUST' }).map(({ level }) => level))).toEqual(new Set(['MUST']))
  })

  it.each([
    [{ baseUrl: 'localhost:3000' }, /^baseUrl: expected a URL such as/],
    [{ baseUrl, basePath: 'management' }, /^basePath: expected a path/],
    [{ baseUrl, paths: { prometheus: '/metrics/' } }, /^paths\.prometheus: expected a path/],
    [{ baseUrl, only: ['helth'] }, /^only: expected ids of cases or areas \(discovery, health.*received 'helth'$/],
    [{ baseUrl, hook: 'hooks/1' }, /^hook: expected a path/],
    [{ baseUrl, relay: '/relay' }, /^relay: expected a path with \{url\}/],
    [{ baseUrl, timeout: 'soon' as '1s' }, /^timeout: expected a duration/],
    [{ baseUrl, profile: 'quarkus' as 'spring' }, /^profile: expected 'upkeep' or 'spring'/],
    [{ baseUrl, level: 'must' as 'MUST' }, /^level: expected/],
  ])('throw for invalid options: %j', (options, message) => {
    expect(() => contract(options)).toThrow(message)
  })
})
