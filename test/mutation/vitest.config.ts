import { defineConfig } from 'vitest/config'
import { defineLane, root } from '../lanes/define-lane.ts'
import { findLanes } from '../lanes/lanes.ts'

const module = process.env['UPKEEP_MUTATED'] ?? 'ids'

/** Counts what a process creates from its start. */
const fresh = 'test/tracing/off.test.ts'

/** The tests that a mutant of the module has to fail: those of its folder that need no other process, on the sources. */
const files = findLanes(root).inProcess.filter((file) => file.startsWith(`test/${module}/`) && file !== fresh)

const lane = defineLane({ files: { sources: files } })

// Instrumented code is slow, and one module graph for all files makes a mutant a matter of a second.
export default defineConfig({ ...lane, test: { ...lane.test, isolate: false, testTimeout: 600_000 } })
