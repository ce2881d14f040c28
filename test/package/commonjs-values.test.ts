import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { entryPoints } from '../../scripts/entry-points.mjs'
import { reachedFrom, valuesImportedBy } from '../lanes/imports.ts'
import { findLanes } from '../lanes/lanes.ts'
import { built } from '../support/built.ts'
import { repository } from '../support/package/packed.ts'

const commonJs = ['test', 'test/with'].flatMap((folder) => findLanes(repository, folder).commonJs)
const require = createRequire(import.meta.url)

it('every file that is chosen to run on the CommonJS files exists', () => {
  expect(commonJs.filter((file) => !existsSync(join(repository, file)))).toEqual([])
})

it('every public value of the CommonJS files is named by a test that runs on them', () => {
  const reached = new Set(commonJs.flatMap((file) => reachedFrom(file, repository)))
  const tested = [...reached]
    .filter((path) => /^test\/.*\.ts$/.test(path))
    .flatMap((path) => valuesImportedBy(readFileSync(join(repository, path), 'utf8')))
  // `upkeep/auto` has no values, and acts on the process that loads it.
  const entries = entryPoints.filter(({ name }) => name !== 'auto')
  const values = entries.flatMap(({ specifier, name }) =>
    Object.keys(require(built(`build/node_modules/upkeep/dist/${name}.cjs`))).map((value) => `${specifier} ${value}`),
  )
  expect(values.length).toBeGreaterThan(150)
  expect(values.filter((value) => !tested.includes(value))).toEqual([])
})
