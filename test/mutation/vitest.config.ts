import { defineConfig } from 'vitest/config'
import { defineLane, root } from '../lanes/define-lane.ts'
import { findLanes } from '../lanes/lanes.ts'

const module = process.env['UPKEEP_MUTATED'] ?? 'ids'

/** The tests that a mutant of the module has to fail: those of its folder that need no process, on the sources. */
const { shared, isolated } = findLanes(root).quick
const files = [...shared, ...isolated].filter((file) => file.startsWith(`test/${module}/`))

const lane = defineLane({ files: { sources: files } })

// Instrumented code is slow, and one module graph for all files makes a mutant a matter of a second.
export default defineConfig({ ...lane, test: { ...lane.test, isolate: false, testTimeout: 600_000 } })
