import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect } from 'vitest'
import { readDocumented } from '../../../support/documented.ts'

// biome-ignore lint/suspicious/noExplicitAny: the page is JavaScript.
type Untyped = (...args: any[]) => any

/** The functions of an adapter. */
interface Documented {
  readonly manage: Untyped
  readonly observe: Untyped
  readonly handleErrors: Untyped
}

/** Imports an adapter of docs/reference/adapters.md, with the package under test. */
export async function importDocumented(name: string): Promise<Documented> {
  const code = readDocumented('reference/adapters.md', name)
  expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(40)
  const folder = resolve(import.meta.dirname, '../../../../build/documented')
  mkdirSync(folder, { recursive: true })
  const file = resolve(folder, name)
  writeFileSync(file, code)
  return await import(/* @vite-ignore */ file)
}
