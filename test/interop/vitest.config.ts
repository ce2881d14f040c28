import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { commonTest } from '../lanes/define-lane.ts'

// Run by .ci/interop, which builds and names the programs that these tests start.
export default defineConfig({
  test: {
    ...commonTest(),
    root: resolve(import.meta.dirname),
    include: ['**/*.interop.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
