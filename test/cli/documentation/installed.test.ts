import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { built } from '../../support/built.ts'
import { readDocs } from './read-docs.ts'

const command = built('build/node_modules/upkeep/dist/cli.cjs')
const { pages } = readDocs()
const run = (...words: readonly string[]) => execFileSync(process.execPath, [command, ...words], { encoding: 'utf8' })

describe('the documentation in the package', () => {
  it('lists every page', () => {
    const list = run('docs')
    expect(Object.keys(pages).filter((name) => !list.includes(`  ${name} `))).toEqual([])
  })

  it.each(['reference/errors', 'guides/health', 'migrate/terminus'])('has the page %s', (name) => {
    expect(run('docs', name)).toBe(pages[name])
  })

  it('explains an error code', () => {
    expect(run('explain', 'UPKEEP_EMETER')).toMatch(
      /^Errors: UPKEEP_EMETER\ndocs\/reference\/errors\.md#upkeep_emeter\n/,
    )
  })
})
