import { resolve } from 'node:path'
import { entryPages } from '../entry-pages.mjs'
import { readSections } from '../pages.mjs'

const sidebar = readSections().map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ title: text, name }) => ({ text, link: `/${name}` })),
}))

export default {
  title: 'upkeep',
  description: 'Health, probes, metrics, traces and a console for Node services',
  lang: 'en',
  base: process.env['UPKEEP_DOCS_BASE'],
  srcDir: resolve(import.meta.dirname, '../pages'),
  outDir: resolve(import.meta.dirname, '../../../build/site'),
  cacheDir: resolve(import.meta.dirname, '../../../build/.vitepress'),
  // Pages name addresses of the reader's own service.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    // As GitHub's.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
          .replaceAll(' ', '-'),
    },
    theme: { light: 'github-light', dark: 'github-dark' },
    // Not among the languages that are coloured.
    languages: ['sql', 'nginx'],
    languageAlias: { promql: 'sql', haproxy: 'nginx', vcl: 'nginx' },
  },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // Pages that explain come before declarations.
          searchOptions: { boostDocument: (id) => (id.includes('/entry-points/') ? 0.1 : 1) },
        },
      },
    },
    sidebar: [
      ...sidebar,
      {
        text: 'Entry points',
        collapsed: true,
        items: entryPages.map(({ title, name }) => ({ text: title, link: `/${name}` })),
      },
    ],
    nav: sidebar.map(({ text, items }) => ({ text, link: items[0]?.link })),
    outline: { level: [2, 3] },
    socialLinks: [{ icon: 'github', link: 'https://github.com/upkeep-node/upkeep' }],
  },
}
