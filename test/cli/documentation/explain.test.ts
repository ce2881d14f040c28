import { describe, expect, it } from 'vitest'
import { runDocs } from '../../../src/cli/documentation/docs-command.ts'
import { runExplain } from '../../../src/cli/documentation/explain-command.ts'
import { readDocs } from './read-docs.ts'

const documentation = readDocs()
const docs = documentation.pages

function run(command: 'docs' | 'explain', words: readonly string[], pages = docs, moved = documentation.moved) {
  let [out, err] = ['', '']
  const output = {
    write: (text: string) => {
      out += text
    },
    writeError: (text: string) => {
      err += text
    },
    isTerminal: false,
  }
  const read = () => ({ pages, moved })
  const code = command === 'docs' ? runDocs(words, output, read) : runExplain(words, {}, output, read)
  return { code, out, err }
}

const explain = (text: string) => run('explain', [text])

describe('upkeep explain', () => {
  it.each([
    ['UPKEEP_EOPTION', 'docs/reference/errors.md#upkeep_eoption'],
    ['UPKEEP_ECLUSTER', 'docs/reference/errors.md#upkeep_ecluster'],
    ['health.slowCheck', 'docs/guides/health.md#options-of-health'],
    ['createManagement: health.slowCheck: expected a duration such as "5s", received 1000', 'docs/guides/health.md'],
    ['UPKEEP_EXPOSE', 'docs/start/zero-code.md'],
    ['keepFailedRequests', 'docs/reference/otlp.md#failed-requests'],
    ['joinCluster: group: expected letters', 'docs/guides/cluster.md'],
    ['toleratedStepBack', 'docs/reference/identifiers.md'],
    ['startTelemetry: temporality', 'docs/reference/otlp.md'],
    ['reloadWorkers', 'docs/guides/cluster.md'],
    ['sslBundles', 'docs/reference/endpoints.md#watch-certificates'],
    ['watchdog: starting a thread requires the permission --allow-worker', 'docs/'],
  ])('of %j prints %s', (text, id) => {
    const { code, out } = explain(text)
    expect(code).toBe(0)
    expect(out.split('\n')[1]).toMatch(new RegExp(`^${id}`))
  })

  it('prints the title, the place, the text, and others', () => {
    const pages = {
      health: '# Health\n\nChecks.\n\n## Groups\n\nThe option `groups` has names.\n',
      info: '# Info\n\nSee groups.\n',
    }
    expect(run('explain', ['groups'], pages)).toEqual({
      code: 0,
      err: '',
      out: [
        'Health: Groups\ndocs/health.md#groups\n\nThe option `groups` has names.\n',
        'See also\n  Info: docs/info.md#info\n',
      ].join('\n'),
    })
  })

  it('shows at most 40 lines of a section', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`)
    const { out } = run('explain', ['lines'], { long: `# Lines\n\n${lines.join('\n')}` })
    expect(out).toContain('line 39\n…\n')
    expect(out).not.toContain('line 40')
  })

  it('exits with 1 if no page has any of the words', () => {
    expect(explain('qwertzuiop')).toEqual({ code: 1, out: '', err: expect.stringContaining('no page has any') })
  })

  it('exits with 2 without anything to explain', () => {
    expect(explain(' ')).toEqual({ code: 2, out: '', err: expect.stringContaining('expected an error message') })
  })

  it('lists its arguments', () => {
    expect(explain('--help')).toEqual({ code: 0, err: '', out: expect.stringContaining('Usage: upkeep explain') })
  })
})

describe('upkeep docs', () => {
  it('lists the pages', () => {
    const { code, out } = run('docs', [])
    expect(code).toBe(0)
    for (const name of Object.keys(docs)) expect(out).toContain(`  ${name} `)
  })

  it('prints a page', () => {
    expect(run('docs', ['migrate/terminus'])).toEqual({ code: 0, err: '', out: docs['migrate/terminus'] })
  })

  it.each(['guides/health', 'health', 'docs/guides/health.md'])('prints the page of %s', (name) => {
    expect(run('docs', [name]).out).toBe(docs['guides/health'])
  })

  it('prints a section with the sections below it', () => {
    const pages = { 'a/health': '# Health\n\nOne.\n\n## Why\n\nTwo.\n\n### More\n\nThree.\n\n## Why\n\nFour.\n' }
    const print = (name: string) => run('docs', [name], pages, { checks: 'a/health#why-1', gone: 'b' })
    expect(print('docs/a/health.md#why').out).toBe('## Why\n\nTwo.\n\n### More\n\nThree.\n')
    expect(print('checks').out).toBe('## Why\n\nFour.\n')
    expect([print('health#none').code, print('gone').code]).toEqual([2, 2])
  })

  it('finds each page of earlier versions', () => {
    const names = Object.keys(documentation.moved)
    expect(names.length).toBeGreaterThan(40)
    expect(names.filter((name) => run('docs', [name]).code !== 0)).toEqual([])
  })

  it.each([['nowhere'], ['constructor'], ['health info']])('exits with 2 for %s', (words) => {
    const { code, out, err } = run('docs', words.split(' '))
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`expected one of these pages, received ${words}`)
  })
})
