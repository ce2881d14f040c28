import { defineConfig } from 'vitest/config'
import { defineLane, type Project } from '../lanes/define-lane.ts'
import { withPackages } from '../lanes/with-packages.ts'

/** Complete applications of other packages: each is installed from the registry, and upkeep's tarball beside it. */
const applications: Project = {
  test: { name: 'applications', include: ['test/applications/**/*.application.ts'], hookTimeout: 600_000 },
}

const tests = withPackages(({ sources, package: node, bundled }) => ({ sources, node, bundled }))

/** What `npm run applications` runs. */
export default defineConfig(defineLane({ files: {}, projects: [applications, ...tests], workers: 2 }))
