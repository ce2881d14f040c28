// The pages of the site, from docs/: Markdown that is also read on GitHub.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { readEntryPages } from './entry-pages.mjs'

const root = resolve(import.meta.dirname, '../..')
const docs = join(root, 'docs')
const files = 'https://github.com/upkeep-node/upkeep/blob/main/'

/** A page of the sidebar. */
const row = /^\| ([^|]+) \| \[([^\]]+)\]\(([\w/-]+)\.md\) \|$/gm

/**
 * Reads the sections of docs/README.md, which are the sidebar.
 *
 * @returns {readonly { title: string, pages: readonly { title: string, purpose: string, name: string }[] }[]}
 */
export function readSections() {
  const [, ...parts] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m)
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf('\n')),
    pages: [...part.matchAll(row)].map(([, purpose, title, name]) => ({ title, purpose, name })),
  }))
}

/** Returns the text of a page by its name, such as `guides/health`. */
export const readPage = (name) => readFileSync(join(docs, `${name}.md`), 'utf8')

/** Returns the names of all pages but docs/README.md. */
export function pageNames() {
  const names = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  return names.map((name) => name.slice(0, -'.md'.length).replaceAll('\\', '/')).filter((name) => name !== 'README')
}

/** Writes the pages and pictures to a folder, with links to other files of the repository as addresses. */
export function writePages(folder) {
  rmSync(folder, { recursive: true, force: true })
  for (const name of pageNames()) write(join(folder, `${name}.md`), withAddresses(readPage(name), name))
  for (const [name, text] of readEntryPages(root)) write(join(folder, `${name}.md`), text)
  cpSync(join(docs, 'images'), join(folder, 'images'), { recursive: true })
  writeFileSync(join(folder, 'index.md'), home())
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function withAddresses(text, name) {
  return text.replace(/\]\((\.\.?\/[^)\s#]*)(#[^)\s]*)?\)/g, (all, path, fragment = '') => {
    const target = posix.normalize(posix.join('docs', posix.dirname(name), path))
    return target.startsWith('docs/') ? all : `](${files}${target}${fragment})`
  })
}

function home() {
  const [, summary] = readFileSync(join(root, 'README.md'), 'utf8').split('\n\n')
  const features = readSections().map(({ title, pages: [first], pages }) => ({
    title,
    details: pages.map((page) => page.title).join(' · '),
    link: `/${first?.name}`,
  }))
  const hero = {
    name: 'upkeep',
    text: 'Production endpoints for Node services',
    tagline: summary.replaceAll('\n', ' '),
    image: {
      light: '/images/console/overview-light.png',
      dark: '/images/console/overview-dark.png',
      alt: 'The console: what is wrong now, requests, response times',
    },
    actions: [
      { theme: 'brand', text: 'Start without code', link: '/start/zero-code' },
      { theme: 'alt', text: 'Express', link: '/start/express' },
      { theme: 'alt', text: 'The console', link: '/guides/console' },
    ],
  }
  return `---\n${JSON.stringify({ layout: 'home', hero, features }, undefined, 2)}\n---\n`
}
