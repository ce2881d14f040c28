import { defineConfig } from 'vitest/config'
import { defineLane, root } from './define-lane.ts'
import { findLanes } from './lanes.ts'

const lanes = findLanes(root)

/** What `npm test` runs: all that is deterministic, on the packed package where it reaches upkeep as a user does. */
export default defineConfig(
  defineLane({ files: { sources: lanes.sources, node: lanes.package, bundled: lanes.bundled } }),
)
