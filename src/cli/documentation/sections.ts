import { type Pages, titleOf } from './pages.ts'

/** A part of a page of the documentation: from one heading to the next. */
export interface Section {
  /** The file and the fragment, such as `docs/guides/health.md#groups`. */
  readonly id: string
  /** The title of the page. */
  readonly page: string
  readonly heading: string
  /** 1 for the title. */
  readonly level: number
  /** What is below the heading, as Markdown. */
  readonly text: string
}

/** Splits pages at their headings, apart from lines of code that look like one. */
export function sectionsOf(pages: Pages): readonly Section[] {
  return Object.entries(pages).flatMap(([name, markdown]) => {
    const sections: { heading: string; level: number; fragment: string; lines: string[] }[] = []
    const fragments = new Map<string, number>()
    let isCode = false
    for (const line of markdown.split('\n')) {
      if (line.startsWith('```')) isCode = !isCode
      const [, marks, heading] = (isCode ? undefined : /^(#{1,6}) (.*)/.exec(line)) ?? []
      if (marks === undefined || heading === undefined) {
        sections.at(-1)?.lines.push(line)
        continue
      }
      const fragment = fragmentOf(heading)
      const before = fragments.get(fragment) ?? 0
      fragments.set(fragment, before + 1)
      const unique = before === 0 ? fragment : `${fragment}-${before}`
      sections.push({ heading, level: marks.length, fragment: unique, lines: [] })
    }
    return sections.map(({ heading, level, fragment, lines }) => ({
      ...{ id: `docs/${name}.md#${fragment}`, page: titleOf(markdown), heading, level },
      text: lines.join('\n').trim(),
    }))
  })
}

/** Returns the fragment that GitHub gives the first heading with this text. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
