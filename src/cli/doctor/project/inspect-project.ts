import { join } from 'node:path'
import { checkHeap } from '../check-heap.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { findPackages, type InstalledPackage, type Project } from './installed-packages.ts'
import { checkVersions, supportedVersions } from './supported-versions.ts'

/** Packages of which a process must have one copy only: each has a state of its own. */
const singlePackages = ['upkeep', '@opentelemetry/api'] as const

/** Clients of databases, caches and brokers. */
const databaseClients = ['pg', 'postgres', 'mysql2', 'mysql', 'mariadb', 'mongodb', 'mongoose', 'mssql', 'oracledb']
  .concat('redis', 'ioredis', 'knex', 'sequelize', 'typeorm', '@prisma/client', 'drizzle-orm', 'kysely')
  .concat('amqplib', 'kafkajs', 'nats')

/** Checks the files of a project: package.json, and node_modules. */
export function inspectProject(project: Project, memory: number | undefined): readonly Outcome[] {
  const { packages, isComplete } = findPackages(
    project.folder,
    new Set([...singlePackages, ...Object.keys(supportedVersions)]),
  )
  const direct = packages.filter(({ name, folder }) => project.dependencies.includes(name) && !isNested(folder, name))
  return [
    ...checkCopies(packages, project),
    ...(isComplete ? [] : [unchecked('copies', 'node_modules has too many folders: the search was ended')]),
    ...checkVersions(process.versions.node, direct),
    ...checkScripts(project, memory),
  ]
}

/** Returns the clients of databases that are dependencies of a project. */
export function databaseClientsOf({ dependencies }: Project): readonly string[] {
  return dependencies.filter((name) => databaseClients.includes(name))
}

function checkCopies(packages: readonly InstalledPackage[], { folder: root }: Project): readonly Outcome[] {
  const findings = singlePackages.flatMap((name) => {
    const copies = packages.filter((each) => each.name === name)
    if (copies.length < 2) return []
    const places = copies.map(({ version, folder }) => `${version} in ${relativeTo(root, folder)}`)
    return [
      finding('copies', `there are ${copies.length} copies of ${name}: ${places.join(', ')}`, `npm dedupe ${name}`),
    ]
  })
  return findings.length > 0 ? findings : [ok('copies')]
}

/** The heap of the programs that scripts start; only where the memory of the container is given. */
function checkScripts({ scripts }: Project, container: number | undefined): readonly Outcome[] {
  if (container === undefined) return []
  return Object.values(scripts).flatMap((script) => {
    const [, size] = /--max[-_]old[-_]space[-_]size=(\d{1,9})/.exec(script) ?? []
    return size === undefined ? [] : [checkHeap({ heap: Number(size) * 2 ** 20, container })]
  })
}

function isNested(folder: string, name: string): boolean {
  const above = folder.slice(0, -join('node_modules', name).length)
  return above.includes('node_modules') && !above.includes('.pnpm')
}

function relativeTo(root: string, folder: string): string {
  return folder.startsWith(`${root}/`) ? folder.slice(root.length + 1) : folder
}
