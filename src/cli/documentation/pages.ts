import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

/** The pages of the documentation, as Markdown, by their names, such as `guides/health`. */
export type Pages = Readonly<Record<string, string>>

export interface Documentation {
  readonly pages: Pages
  /** Where to find what had a page of its own in an earlier version: its name, and a page with or without a fragment. */
  readonly moved: Readonly<Record<string, string>>
}

/** Reads the documentation that the build has written beside the command. */
export function readDocumentation(): Documentation {
  // CommonJS has no `import.meta`.
  const folder = typeof __dirname === 'string' ? __dirname : import.meta.dirname
  return JSON.parse(brotliDecompressSync(readFileSync(join(folder, 'docs.json.br'))).toString())
}

/** Returns the title of a page. */
export function titleOf(markdown: string): string {
  return /^# (.*)/.exec(markdown)?.[1] ?? ''
}
