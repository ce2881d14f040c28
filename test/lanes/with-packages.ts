import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { defineTargets, type Project, root, type TestFiles } from './define-lane.ts'
import { findLanes, type Lanes } from './lanes.ts'

/** Returns projects for tests of `test/with/`, which install the packages of their folder first. */
export function withPackages(filesOf: (lanes: Lanes) => TestFiles): readonly Project[] {
  const folders = readdirSync(join(root, 'test/with'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return folders.flatMap(({ name }) => {
    const folder = `test/with/${name}`
    const projects = defineTargets(filesOf(findLanes(root, folder)), `${folder}/node_modules/upkeep`)
    return projects.map((project) => ({
      ...project,
      test: {
        ...project.test,
        name: `${name} ${project.test?.name}`,
        globalSetup: ['test/lanes/install-packages.ts'],
        provide: { packages: folder },
      },
    }))
  })
}
