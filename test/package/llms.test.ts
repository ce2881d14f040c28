import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatLlms } from '../../scripts/llms.mjs'

const root = resolve(import.meta.dirname, '../..')
const text = readFileSync(join(root, 'llms.txt'), 'utf8')
const pages = [...text.matchAll(/^- \[([^\]]+)\]\(docs\/([\w/-]+\.md)\): (.+)$/gm)]

describe('llms.txt', () => {
  it('is what docs/README.md says', () => {
    expect(text, 'Run: node scripts/llms.mjs').toBe(formatLlms())
  })

  it('lists each page of the documentation once', () => {
    const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    const all = names.filter((name) => /^(?!README).*\.md$/.test(name))
    expect(all.length).toBeGreaterThan(30)
    expect(pages.map(([, , page]) => page).sort()).toEqual(all.sort())
  })
})
