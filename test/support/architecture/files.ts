import { basename } from 'node:path/posix'
import type { House } from './house.ts'
import { says } from './place.ts'

const longest = 200
const noIdea = /^(utils?|helpers?|types|common|constants)$/
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/

/** The public faces are the only barrels in src/, and list every name that they hand on. */
export function checkFaces({ plan, sources }: House): readonly string[] {
  return sources
    .filter(({ path }) => path.startsWith('src/'))
    .flatMap((source) => {
      const { path, imports, passedOn, statements } = source
      const face = plan.faces.some((name) => path === `src/${name}`)
      const stars = imports.filter(({ form }) => form === 'star').map((one) => `${says(source, one)} with *: name each`)
      if (face) {
        const others = [...statements, ...imports.filter(({ form }) => form === 'import').map(({ line }) => line)]
        return [
          ...stars,
          ...others.map((line) => `${path}:${line} is no \`export { … } from\`, and a public face is nothing else`),
        ]
      }
      return [
        ...stars,
        ...imports
          .filter(({ form }) => form === 're-export')
          .map((one) => `${says(source, one)}: only a public face hands on what it did not make`),
        ...passedOn.map(
          (line) => `${path}:${line} exports what it imported: only a public face hands on what it did not make`,
        ),
      ]
    })
}

/** A file is one idea and bears its name. */
export function checkFiles({ sources }: House): readonly string[] {
  return sources.flatMap(({ path, lines }) => {
    const folders = path.split('/').slice(0, -1)
    const name = basename(path)
    return [
      ...(lines > longest ? [`${path} has ${lines} lines: at ${longest} look for the second idea`] : []),
      ...(kebabCase.test(name) ? [] : [`${path} is not named in kebab-case and .ts`]),
      ...[...folders, name.replace(/\.[^.]*$/, '')]
        .filter((part) => noIdea.test(part))
        .map((part) => `${path} is named "${part}": name the idea in it`),
    ]
  })
}
