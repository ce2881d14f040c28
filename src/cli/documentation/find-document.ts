import type { Documentation, Pages } from './pages.ts'
import { sectionsOf } from './sections.ts'

/**
 * Returns a page as Markdown, or with a fragment a section of it and what is below that. A page has the name of its
 * file, such as `docs/guides/health.md`, `guides/health` or `health`, or a name of an earlier version.
 */
export function findDocument({ pages, moved }: Documentation, name: string): string | undefined {
  const [path = '', fragment] = name.replace(/^docs\//, '').split('#')
  const page = path.replace(/\.md$/, '')
  if (Object.hasOwn(pages, page)) return partOf(pages, page, fragment)
  const named = Object.keys(pages).filter((each) => each.endsWith(`/${page}`))
  if (named.length === 1 && named[0] !== undefined) return partOf(pages, named[0], fragment)
  const place = Object.hasOwn(moved, page) ? moved[page] : undefined
  return place === undefined ? undefined : findDocument({ pages, moved: {} }, place)
}

function partOf(pages: Pages, name: string, fragment: string | undefined): string | undefined {
  const markdown = pages[name]
  if (fragment === undefined || markdown === undefined) return markdown
  const sections = sectionsOf({ [name]: markdown })
  const start = sections.findIndex(({ id }) => id.endsWith(`.md#${fragment}`))
  const top = sections[start]
  if (top === undefined) return undefined
  const length = sections.slice(start + 1).findIndex(({ level }) => level <= top.level)
  const part = length === -1 ? sections.slice(start) : sections.slice(start, start + 1 + length)
  return part.map(({ level, heading, text }) => `${'#'.repeat(level)} ${heading}\n\n${text}\n`).join('\n')
}
