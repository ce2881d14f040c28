import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sectionsOf } from '../../src/cli/documentation/sections.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const files = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'examples/webhook-receiver/README.md', ...pages]
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const repository = 'https://github.com/upkeep-node/upkeep/blob/main/'

/** The fragments of each Markdown file. */
const fragments = new Map(files.map((path) => [path, fragmentsOf(read(path))]))

function fragmentsOf(markdown: string): ReadonlySet<string> {
  return new Set(sectionsOf({ page: markdown }).map(({ id }) => id.slice(id.indexOf('#') + 1)))
}

/** The links of a page outside of code, as paths from the root of the repository, with their fragments. */
function linksOf(path: string): readonly string[] {
  const text = read(path).replaceAll(/^```.*?^```$/gms, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (link.startsWith(repository)) return [link.slice(repository.length)]
    if (/^[a-z]+:/.test(link)) return []
    return [link.startsWith('#') ? `${path}${link}` : relative(root, resolve(root, dirname(path), link))]
  })
}

function isBroken(link: string): boolean {
  const [path = '', fragment] = link.split('#')
  if (!existsSync(join(root, path))) return true
  return fragment !== undefined && fragments.get(path)?.has(fragment) === false
}

describe('links', () => {
  it.each(files)('of %s lead to a file, and to one of its headings', (path) => {
    expect(linksOf(path).filter(isBroken)).toEqual([])
  })

  it('of the list of pages lead to each page once', () => {
    const listed = [...read('docs/README.md').matchAll(/^\| [^|]+ \| \[[^\]]+\]\(([^)#]+)\) \|$/gm)]
    expect(listed.map(([, page]) => `docs/${page}`).sort()).toEqual(pages.filter((each) => !/README/.test(each)).sort())
    // Those for readers, and the one about stability.
    expect(listed.length).toBeLessThanOrEqual(40 + 1)
  })

  it('of earlier versions lead to a page, and to one of its headings', () => {
    const places = Object.values(JSON.parse(read('docs/redirects.json')) as Record<string, string>)
    expect(places.length).toBeGreaterThan(40)
    expect(places.filter((place) => isBroken(`docs/${place.replace(/(?=#)|$/, '.md')}`))).toEqual([])
  })
})
