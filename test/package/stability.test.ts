import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../support/package/packed.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')
const entries = readdirSync(join(repository, 'api'))
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replace('.ts', ''))
const specifierOf = (entry: string) => (entry === 'index' ? 'upkeep' : `upkeep/${entry}`)

/** The states of entry points by docs/stability.md, by what a user imports. */
function documentedStates(): ReadonlyMap<string, string> {
  const rows = read('docs/stability.md').matchAll(/^\| (`upkeep[^|]*) \| (stable|experimental)/gm)
  return new Map(
    [...rows].flatMap(([, names = '', state = '']) =>
      [...names.matchAll(/`(upkeep[\w/-]*)`/g)].map(([, name = '']) => [name, state] as const),
    ),
  )
}

describe('the state of an entry point', () => {
  const documented = documentedStates()

  it.each(entries)('%s is in its report as docs/stability.md says', (entry) => {
    const states = new Set([...read(`api/${entry}.ts`).matchAll(/^\/\*\* @(\w+) \*\/$/gm)].map(([, state]) => state))
    if (documented.get(specifierOf(entry)) === 'experimental') expect([...states]).toEqual(['experimental'])
    else expect(states).toContain('stable')
  })

  it('is documented for each, and for no other', () => {
    expect([...documented.keys()].sort()).toEqual(entries.map(specifierOf).sort())
  })
})

it('each name of a report has a state', () => {
  for (const entry of entries) {
    const text = read(`api/${entry}.ts`)
    const states = text.matchAll(/^\/\*\* @(?:stable|experimental) \*\/\n/gm)
    const [, values = 0, types = 0] = /: (\d+) values?, (\d+) types?\./.exec(text) ?? []
    expect([entry, [...states].length]).toEqual([entry, Number(values) + Number(types)])
  }
})

it('the options of what is experimental are marked, and no others of createManagement', () => {
  const marked = [...read('api/index.ts').matchAll(/^ {4}\/\*\* @experimental \*\/ readonly (\w+)/gm)]
  expect(marked.map(([, name]) => name).sort()).toEqual(['console', 'recorder'])
})
