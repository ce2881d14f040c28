import { defineConfig } from 'vitest/config'
import { defineLane, root } from '../lanes/define-lane.ts'
import { findLanes } from '../lanes/lanes.ts'

const module = process.env['UPKEEP_MUTATED'] ?? 'ids'
/** Compare a document with the text of sources, or the process with itself: not with instrumented code. */
const others = ['test/otlp/documentation.test.ts', 'test/management/endpoints/heapdump.test.ts']
const isOfModule = (file: string) => file.startsWith(`test/${module}/`) && !others.includes(file)

/** The tests that a mutant of the module has to fail: those of its folder that need no other process, on the sources. */
const lanes = findLanes(root)
const shared = lanes.quick.shared.filter(isOfModule)
const isolated = lanes.inProcess.filter((file) => isOfModule(file) && !shared.includes(file))
const lane = defineLane({ files: { sources: isolated }, shared })

// Instrumented code is slow.
export default defineConfig({ ...lane, test: { ...lane.test, testTimeout: 600_000 } })
