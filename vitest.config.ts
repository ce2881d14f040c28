import { defineConfig } from 'vitest/config'
import { defineLane, root } from './test/lanes/define-lane.ts'
import { findLanes } from './test/lanes/lanes.ts'

const lanes = findLanes(root)

/** What `npx vitest` runs: the lane `quick`; with `UPKEEP_TEST_TARGET=sources`, any test of any lane on the sources. */
const files =
  process.env['UPKEEP_TEST_TARGET'] === 'sources'
    ? [...lanes.sources, ...lanes.package, ...lanes.machine.sources, ...lanes.machine.package]
    : lanes.quick

export default defineConfig(defineLane({ files: { sources: files } }))
