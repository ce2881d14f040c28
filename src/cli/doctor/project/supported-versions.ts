import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import type { InstalledPackage } from './installed-packages.ts'

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
export function checkVersions({ node, installed, isInstalled, install }: VersionsCheck): readonly Outcome[] {
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
