import type { Clock } from '../../base/clock.ts'
import type { SslBundles } from '../../health/indicators/ssl/ssl-bundles.ts'
import type { SnapshotSource } from '../../metrics/snapshot.ts'
import { buildInfo } from './build-info.ts'
import { containerInfo } from './container-info.ts'
import type { InfoContributor } from './contributor.ts'
import { gitInfo } from './git-info.ts'
import { osInfo } from './os-info.ts'
import { processInfo } from './process-info.ts'
import { runtimeInfo } from './runtime-info.ts'

/** The parts of `info`, in addition to the name and version of the application. */
export interface InfoOptions {
  /** The running build, if files or the environment describe it. @default true */
  readonly build?: boolean | undefined
  /** The commit of the running build, if files or the environment name it. @default true */
  readonly git?: boolean | undefined
  /** The versions of Node and of its main dependencies. @default false */
  readonly runtime?: boolean | undefined
  /** The operating system. @default false */
  readonly os?: boolean | undefined
  /** The process: ids, owner, directory, memory. @default false */
  readonly process?: boolean | undefined
  /** The memory limit and the control group of the container. @default false */
  readonly container?: boolean | undefined
  /** The certificates of the servers of the option `ssl`. @default false */
  readonly ssl?: boolean | undefined
  /** Functions of the application whose results are merged into the response. @default [] */
  readonly contributors?: readonly InfoContributor[] | undefined
}

interface InfoSources {
  readonly clock: Clock
  readonly version?: string | undefined
  /** The meters of the process, for its garbage collectors. */
  readonly meters?: SnapshotSource | undefined
  readonly bundles?: SslBundles | undefined
}

/** Returns the contributors that the options enable, those of the application last. */
export function infoContributors(
  {
    build = true,
    git = true,
    runtime = false,
    os = false,
    process = false,
    container = false,
    ssl = false,
    contributors = [],
  }: InfoOptions,
  { clock, version, meters, bundles }: InfoSources,
): readonly InfoContributor[] {
  return [
    ...(build ? [buildInfo({ version })] : []),
    ...(git ? [gitInfo()] : []),
    ...(runtime ? [runtimeInfo()] : []),
    ...(os ? [osInfo()] : []),
    ...(process ? [processInfo(clock, meters)] : []),
    ...(container ? [containerInfo()] : []),
    ...(ssl && bundles !== undefined ? [() => ({ ssl: { bundles: bundles.bundles() } })] : []),
    ...contributors,
  ]
}
