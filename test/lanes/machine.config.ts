import { defineConfig } from 'vitest/config'
import { defineLane, root } from './define-lane.ts'
import { findLanes } from './lanes.ts'

const { machine } = findLanes(root)

/** What `npm run test:machine` runs: one file at a time. */
export default defineConfig(defineLane({ files: { sources: machine.sources, esm: machine.package }, workers: 1 }))
