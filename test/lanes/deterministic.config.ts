import { defineConfig } from 'vitest/config'
import { defineLane, root } from './define-lane.ts'
import { findLanes } from './lanes.ts'

const lanes = findLanes(root)

const shared = lanes.quick.shared.filter((file) => lanes.sources.includes(file))
const sources = lanes.sources.filter((file) => !shared.includes(file))

/** What `npm test` runs: all that is deterministic, on the packed package where it reaches upkeep as a user does. */
export default defineConfig(defineLane({ files: { sources, node: lanes.package, bundled: lanes.bundled }, shared }))
