import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkHeap } from '../checks.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { findCopies, findPackage, type InstalledPackage, type Project } from './installed-packages.ts'

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

/** The versions of packages with which upkeep works, and what uses them. */
interface Supported {
  /** The oldest one. */
  readonly from: string
  /** The first one that is too new. */
  readonly before?: string
  readonly use: string
}

const exporters = { from: '0.204.0', use: "upkeep/otlp with OpenTelemetry's exporters" }

const supportedVersions: Readonly<Record<string, Supported>> = {
  express: { from: '4.0.0', before: '6.0.0', use: 'upkeep/express' },
  koa: { from: '2.0.0', before: '4.0.0', use: 'upkeep/koa' },
  fastify: { from: '5.0.0', before: '6.0.0', use: 'upkeep/fastify' },
  hono: { from: '4.0.0', before: '5.0.0', use: 'upkeep/hono' },
  '@nestjs/core': { from: '11.0.0', before: '13.0.0', use: 'upkeep/nest' },
  next: { from: '15.0.0', before: '17.0.0', use: 'upkeep/next' },
  '@opentelemetry/api': { from: '1.9.0', before: '2.0.0', use: 'tracing beside OpenTelemetry' },
  '@opentelemetry/exporter-trace-otlp-proto': exporters,
  '@opentelemetry/exporter-metrics-otlp-proto': exporters,
}

const nodeRange = '20.19, or 22.13 and newer'

interface VersionsCheck {
  readonly node: string
  /** The dependencies of the project itself. */
  readonly installed: readonly InstalledPackage[]
  readonly isInstalled: boolean
  /** The command that installs a package. */
  readonly install: string
}

/** Compares the versions of Node and of direct dependencies with those that are supported. */
function checkVersions({ node, installed, isInstalled, install }: VersionsCheck): readonly Outcome[] {
  const findings = installed.flatMap(({ name, version }) => {
    const supported = Object.hasOwn(supportedVersions, name) ? supportedVersions[name] : undefined
    if (supported === undefined || isInside(version, supported)) return []
    const { from, before, use } = supported
    const range = before === undefined ? `${from} or newer` : `from ${from}, before ${before}`
    const wanted = before === undefined ? `>=${from}` : `^${Number(before.split('.')[0]) - 1}`
    return [finding('versions', `${name} ${version}: ${use} requires ${range}`, `${install} '${name}@${wanted}'`)]
  })
  if (!isSupportedNode(node)) {
    findings.push(finding('versions', `Node ${node}: upkeep requires ${nodeRange}`, 'FROM node:24 # or nvm install 24'))
  }
  if (findings.length > 0) return findings
  return [isInstalled ? ok('versions') : unchecked('versions', 'install the dependencies first')]
}

function isInside(version: string, { from, before }: Supported): boolean {
  return !isOlder(version, from) && (before === undefined || isOlder(version, before))
}

function isSupportedNode(version: string): boolean {
  return !isOlder(version, '22.13.0') || (!isOlder(version, '20.19.0') && isOlder(version, '21.0.0'))
}

/** Compares major, minor and patch; a prerelease counts as its release. */
function isOlder(version: string, other: string): boolean {
  const [left, right] = [version, other].map((each) => each.split('-')[0]?.split('.').map(Number) ?? [])
  for (const part of [0, 1, 2]) {
    const difference = (left?.[part] ?? 0) - (right?.[part] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** The commands of the package manager of a project. */
interface PackageManager {
  /** Followed by a package and its version. */
  readonly install: string
  readonly dedupe: string
  /** Where a version is enforced. */
  readonly overrides: string
}

const managers: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': { install: 'pnpm add', dedupe: 'pnpm dedupe', overrides: 'overrides in pnpm-workspace.yaml' },
  'yarn.lock': { install: 'yarn add', dedupe: 'yarn dedupe', overrides: 'resolutions in package.json' },
}

const npm: PackageManager = { install: 'npm install', dedupe: 'npm dedupe', overrides: 'overrides in package.json' }

/** Returns the package manager whose lock file is in a folder, or nearest above. */
function packageManagerOf(folder: string): PackageManager {
  if (existsSync(join(folder, 'package-lock.json'))) return npm
  const lock = Object.keys(managers).find((name) => existsSync(join(folder, name)))
  if (lock !== undefined) return managers[lock] ?? npm
  return folder === dirname(folder) ? npm : packageManagerOf(dirname(folder))
}
