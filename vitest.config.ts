import { defineConfig } from 'vitest/config'
import { defineLane, root } from './test/lanes/define-lane.ts'
import { findLanes } from './test/lanes/lanes.ts'

const { quick, sources, package: packaged, machine } = findLanes(root)
const all = [...sources, ...packaged, ...machine.sources, ...machine.package]

/** What `npx vitest` runs: the lane `quick`; with `UPKEEP_TEST_TARGET=sources`, any test of any lane on the sources. */
export default defineConfig(
  process.env['UPKEEP_TEST_TARGET'] === 'sources'
    ? defineLane({ files: { sources: all } })
    : defineLane({ files: { sources: quick.isolated }, shared: quick.shared }),
)
