import { defineConfig } from 'vitest/config'
import { defineLane, root } from './define-lane.ts'
import { findLanes, type Lanes } from './lanes.ts'
import { withPackages } from './with-packages.ts'

const filesOf = ({ machine: { sources, package: node } }: Lanes) => ({ sources, node })

/** What `npm run test:machine` runs: one file at a time. */
export default defineConfig(
  defineLane({ files: filesOf(findLanes(root)), projects: withPackages(filesOf), workers: 1 }),
)
