// The bundled zod has its configuration for itself: not as a global variable, which checks for leaks report and which
// the application's own zod would share.
import { readFileSync } from 'node:fs'

const replacements = [
  ['(_a = globalThis).__zod_globalConfig ?? (_a.__zod_globalConfig = {});', ''],
  ['export const globalConfig = globalThis.__zod_globalConfig;', 'export const globalConfig = {};'],
  ['globalThis.__zod_globalConfig?.', 'globalConfig.'],
]

/** @type {import('esbuild').Plugin} */
export const esbuildPrivateZod = {
  name: 'private-zod',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]core[\\/]core\.js$/ }, ({ path }) => {
      const contents = replacements.reduce(
        (text, [from, to]) => {
          if (!text.includes(from)) throw new Error(`${path}: expected ${from}`)
          return text.replaceAll(from, to)
        },
        readFileSync(path, 'utf8'),
      )
      return { contents }
    })
  },
}
