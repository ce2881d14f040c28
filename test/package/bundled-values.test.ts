import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bundledEntries, entryPoints } from '../../scripts/entry-points.mjs'
import { reachedFrom, valuesImportedBy } from '../lanes/imports.ts'
import { findLanes } from '../lanes/lanes.ts'
import { built } from '../support/built.ts'
import { repository } from '../support/package/packed.ts'

const bundled = ['test', 'test/with'].flatMap((folder) => findLanes(repository, folder).bundled)
const require = createRequire(import.meta.url)

it('every file that is chosen to run on the ES modules exists', () => {
  expect(bundled.filter((file) => !existsSync(join(repository, file)))).toEqual([])
})

it('every public value of the ES modules is named by a test that runs on them', () => {
  const reached = new Set(bundled.flatMap((file) => reachedFrom(file, repository)))
  const tested = [...reached]
    .filter((path) => /^test\/.*\.ts$/.test(path))
    .flatMap((path) => valuesImportedBy(readFileSync(join(repository, path), 'utf8')))
  const entries = entryPoints.filter(({ name }) => bundledEntries.includes(name))
  const values = entries.flatMap(({ specifier, name }) =>
    Object.keys(require(built(`build/node_modules/upkeep/dist/${name}.cjs`))).map((value) => `${specifier} ${value}`),
  )
  expect(values.length).toBeGreaterThan(150)
  expect(values.filter((value) => !tested.includes(value))).toEqual([])
})
