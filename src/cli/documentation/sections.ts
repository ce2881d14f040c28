import { type Pages, titleOf } from './pages.ts'

/** A part of a page of the documentation: from one heading to the next. */
export interface Section {
  /** The file and the fragment, such as `docs/health.md#groups`. */
  readonly id: string
  /** The title of the page. */
  readonly page: string
  readonly heading: string
  /** What is below the heading, as Markdown. */
  readonly text: string
}

/** Splits pages at their headings, apart from lines of code that look like one. */
export function sectionsOf(pages: Pages): readonly Section[] {
  return Object.entries(pages).flatMap(([name, markdown]) => {
    const sections: { heading: string; lines: string[] }[] = []
    let isCode = false
    for (const line of markdown.split('\n')) {
      if (line.startsWith('```')) isCode = !isCode
      const heading = isCode ? undefined : /^#{1,4} (.*)/.exec(line)?.[1]
      if (heading !== undefined) sections.push({ heading, lines: [] })
      else sections.at(-1)?.lines.push(line)
    }
    return sections.map(({ heading, lines }) => ({
      ...{ id: `docs/${name}.md#${fragmentOf(heading)}`, page: titleOf(markdown), heading },
      text: lines.join('\n').trim(),
    }))
  })
}

/** Returns the fragment that GitHub gives a heading. */
function fragmentOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
