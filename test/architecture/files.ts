import { basename } from 'node:path/posix'
import type { Codebase } from './codebase.ts'
import { locate } from './place.ts'

/** A file that is one idea may be longer than this, and is then listed with its reason. */
const maxLines = 250
const longFiles: Readonly<Record<string, string>> = {
  'src/tracing/spans/native-span.ts':
    'one class that is a span, its context and what an exporter reads: fewer objects per span',
  'src/base/protobuf-buffer.ts': 'one buffer with the methods that write to it',
  'src/metrics/registry.ts': 'the class behind MeterRegistry: one short method for each of its many',
  'src/metrics/tag-index/tag-table.ts': 'begins with the page that explains the index',
  'src/contract/rules/metrics/scrape-http.ts': 'a table of rules',
  'src/console/documents.ts': 'the interfaces of one JSON API, half of it comments',
}
const meaningless = /^(utils?|helpers?|types|common|constants)$/
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.d)?\.tsx?$/

/** Modules that are an entry point themselves, because they do something when they are imported. */
const activeEntryPoints = ['src/auto/auto.ts']

/** Re-exports what is bundled into a file of its own. */
const bundledFiles = ['src/cli/mcp/sdk.ts']

/** The entry points are the only files in src/ that re-export, and list every name. */
export function checkEntryPoints({ sources }: Codebase): readonly string[] {
  return sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((source) => {
      const { path, imports, passedOn, statements } = source
      const stars = imports
        .filter(({ form }) => form === 'star')
        .map((one) => `${locate(source, one)} with *: list each name`)
      if (path.startsWith('src/entries/')) {
        const others = [...statements, ...imports.filter(({ form }) => form === 'import').map(({ line }) => line)]
        return [
          ...stars,
          ...others.map((line) => `${path}:${line}: an entry point contains \`export { … } from\` only`),
        ]
      }
      if ([...activeEntryPoints, ...bundledFiles].includes(path)) return stars
      return [
        ...stars,
        ...imports
          .filter(({ form }) => form === 're-export')
          .map((one) => `${locate(source, one)}: only entry points re-export`),
        ...passedOn.map((line) => `${path}:${line} exports what it imported: only entry points re-export`),
      ]
    })
}

/** A file is one idea, and is named for it. */
export function checkFiles({ sources }: Codebase): readonly string[] {
  return sources.flatMap(({ path, lines }) => {
    const folders = path.split('/').slice(0, -1)
    const name = basename(path)
    return [
      ...(lines > maxLines && !(path in longFiles) ? [`${path} has ${lines} lines; the limit is ${maxLines}`] : []),
      ...(kebabCase.test(name) ? [] : [`${path}: expected a name in kebab-case that ends in .ts`]),
      ...[...folders, name.replace(/\.[^.]*$/, '')]
        .filter((part) => meaningless.test(part))
        .map((part) => `${path}: "${part}" does not say what is in it`),
    ]
  })
}
