import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../../src/cli/documentation/sections.ts'

const page = `# Health

First words.

## Options of \`health\`

\`\`\`sh
# a comment
\`\`\`

### Names, and more

Last words.
`

describe('sectionsOf', () => {
  it('splits a page at its headings, with the fragments of GitHub', () => {
    expect(sectionsOf({ health: page, 'migrate/terminus': '# Terminus' })).toEqual([
      { id: 'docs/health.md#health', page: 'Health', heading: 'Health', level: 1, text: 'First words.' },
      {
        id: 'docs/health.md#options-of-health',
        page: 'Health',
        heading: 'Options of `health`',
        level: 2,
        text: '```sh\n# a comment\n```',
      },
      {
        id: 'docs/health.md#names-and-more',
        page: 'Health',
        heading: 'Names, and more',
        level: 3,
        text: 'Last words.',
      },
      { id: 'docs/migrate/terminus.md#terminus', page: 'Terminus', heading: 'Terminus', level: 1, text: '' },
    ])
  })

  it('numbers fragments that occur twice', () => {
    const ids = sectionsOf({ page: '# Why\n\n## Why\n\n#### Why\n' }).map(({ id }) => id)
    expect(ids).toEqual(['docs/page.md#why', 'docs/page.md#why-1', 'docs/page.md#why-2'])
  })

  it('has no section for text without a heading', () => {
    expect(sectionsOf({ empty: '', text: 'no heading\n' })).toEqual([])
  })
})
