import { defineConfig } from 'vitest/config'
import { defineLane, type Project, root } from '../lanes/define-lane.ts'
import { findLanes } from '../lanes/lanes.ts'

const module = process.env['UPKEEP_MUTATED'] ?? 'ids'
/** Compare a document with the text of sources, or the process with itself: not with instrumented code. */
const others = ['test/otlp/documentation.test.ts', 'test/management/endpoints/heapdump.test.ts']
/** Where a module is tested besides its own folder: the beginnings of paths. */
const further: Readonly<Record<string, readonly string[]>> = {
  health: ['test/management/managed-health', 'test/management/endpoints/health', 'test/management/cluster/'],
  http: ['test/rest/', 'test/management/access/', 'test/management/endpoints/info'],
  management: ['test/rest/', 'test/console/', 'test/cluster/', 'test/lifecycle/', 'test/spring-boot-admin/'],
  metrics: [
    ...['test/prometheus/', 'test/opentelemetry/', 'test/instrumentation/', 'test/cluster/copy-values'],
    ...['test/base/callbacks/metrics', 'test/management/managed-metrics'],
  ],
  otlp: ['test/opentelemetry/'],
  prometheus: ['test/metrics/', 'test/opentelemetry/', 'test/instrumentation/'],
  tracing: ['test/adapters/tracing.test.ts', 'test/opentelemetry/', 'test/instrumentation/'],
}
const folders = [`test/${module}/`, ...(further[module] ?? [])]
const isOfModule = (file: string) => folders.some((folder) => file.startsWith(folder)) && !others.includes(file)

/** The tests that a mutant of the module has to fail: those that use it and need no other process, on the sources. */
const lanes = findLanes(root)
const shared = lanes.quick.shared.filter(isOfModule)
const isolated = lanes.inProcess.filter((file) => isOfModule(file) && !shared.includes(file))
const lane = defineLane({ files: { sources: isolated }, shared })

// A mutant that leaves a test waiting fails by the timeout of the test. Stryker's own would start another process.
const expect = { poll: { timeout: 10_000, interval: 20 } }
const projects = ((lane.test?.projects ?? []) as Project[]).map(({ test, ...project }) => ({
  ...project,
  test: { ...test, expect, testTimeout: 20_000, hookTimeout: 20_000 },
}))
export default defineConfig({ ...lane, test: { ...lane.test, projects } })
