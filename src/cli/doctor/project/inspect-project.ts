import { checkHeap } from '../check-heap.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { findCopies, findPackage, type InstalledPackage, type Project } from './installed-packages.ts'
import { packageManagerOf } from './package-manager.ts'
import { checkVersions } from './supported-versions.ts'

/** Packages of which a process must have one copy only: each has a state of its own. */
const singlePackages = ['upkeep', '@opentelemetry/api'] as const

/** Scripts by which a program is run in production; others, such as builds, often have more memory. */
const runningScript = /^(?:start|serve|prod|worker)/

/** Checks the files of a project: package.json, and node_modules. */
export function inspectProject(project: Project, memory: number | undefined): readonly Outcome[] {
  const { folder, dependencies } = project
  const direct = dependencies.flatMap((name) => findPackage(name, folder) ?? [])
  const { install } = packageManagerOf(folder)
  return [
    ...checkCopies(project, findCopies(project, singlePackages)),
    ...checkVersions({ node: process.versions.node, installed: direct, isInstalled: isInstalled(project), install }),
    ...checkScripts(project, memory),
  ]
}

/** Whether the dependencies are in node_modules, as far as there are any. */
function isInstalled({ folder, dependencies }: Project): boolean {
  return dependencies.length === 0 || dependencies.some((name) => findPackage(name, folder) !== undefined)
}

function checkCopies({ folder: root }: Project, packages: readonly InstalledPackage[]): readonly Outcome[] {
  const { dedupe, overrides } = packageManagerOf(root)
  const findings = singlePackages.flatMap((name) => {
    const copies = packages.filter((each) => each.name === name)
    if (copies.length < 2) return []
    const places = copies.map(({ version, folder }) => `${version} in ${relativeTo(root, folder)}`)
    const remedy = `${dedupe} # where dependencies require different versions: ${overrides}`
    return [finding('copies', `there are ${copies.length} copies of ${name}: ${places.join(', ')}`, remedy)]
  })
  if (findings.length > 0) return findings
  if (packages.some(({ name }) => name === 'upkeep')) return [ok('copies')]
  return [unchecked('copies', 'upkeep is not in node_modules: install the dependencies first')]
}

/** The heap of the programs that scripts start; only where the memory of the container is given. */
function checkScripts({ scripts }: Project, container: number | undefined): readonly Outcome[] {
  if (container === undefined) return []
  return Object.entries(scripts).flatMap(([name, script]) => {
    const [, size] = /--max[-_]old[-_]space[-_]size[= ](\d{1,9})/.exec(script) ?? []
    return size === undefined || !runningScript.test(name)
      ? []
      : [checkHeap({ heap: Number(size) * 2 ** 20, container })]
  })
}

function relativeTo(root: string, folder: string): string {
  return folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder
}
