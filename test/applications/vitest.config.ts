import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { commonTest } from '../lanes/define-lane.ts'

// Complete applications of other packages: each is installed from the registry, and upkeep's tarball beside it.
export default defineConfig({
  test: {
    ...commonTest(),
    root: resolve(import.meta.dirname),
    include: ['**/*.application.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    passWithNoTests: true,
  },
})
