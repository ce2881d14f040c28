import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect } from 'vitest'
import { built } from '../../support/built.ts'
import { adapt, readDocumented } from '../../support/documented.ts'

// biome-ignore lint/suspicious/noExplicitAny: the page is JavaScript.
type Untyped = (...args: any[]) => any

/** The functions of an adapter. */
interface Documented {
  readonly manage: Untyped
  readonly observe: Untyped
  readonly handleErrors: Untyped
}

/** Imports an adapter of docs/write-an-adapter.md, with the package under test. */
export async function importDocumented(name: string): Promise<Documented> {
  const code = readDocumented('write-an-adapter.md', name)
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  const target = process.env['UPKEEP_TEST_TARGET'] ?? 'esm'
  const folder = resolve(import.meta.dirname, '../../../build/documented', target)
  mkdirSync(folder, { recursive: true })
  if (target === 'cjs') return requireCompiled(code, resolve(folder, name.replace(/\.js$/, '.cjs')))
  const file = resolve(folder, name)
  writeFileSync(file, code)
  return await import(/* @vite-ignore */ file)
}

/** Loads an adapter as TypeScript compiles it to CommonJS, with the CommonJS files of the package. */
function requireCompiled(code: string, file: string): Documented {
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.CommonJS } })
  const names = { upkeep: 'index', 'upkeep/adapter': 'adapter', 'upkeep/node': 'node' }
  const replacements = Object.entries(names).flatMap(([specifier, entry]) =>
    outputText.includes(`"${specifier}"`)
      ? [[`"${specifier}"`, JSON.stringify(built(`build/node_modules/upkeep/dist/${entry}.cjs`))]]
      : [],
  )
  writeFileSync(file, adapt(outputText, Object.fromEntries(replacements)))
  return createRequire(file)(file)
}
