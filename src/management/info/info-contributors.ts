import type { Clock } from '../../base/clock.ts'
import { buildInfo } from './build-info.ts'
import type { InfoContributor } from './contributor.ts'
import { gitInfo } from './git-info.ts'
import { osInfo } from './os-info.ts'
import { processInfo } from './process-info.ts'
import { runtimeInfo } from './runtime-info.ts'

/** What the application tells of itself beside its name and version. */
export interface InfoOptions {
  /** The build that runs, where files or the environment tell of it. @default true */
  readonly build?: boolean | undefined
  /** The commit that runs, where files or the environment tell of it. @default true */
  readonly git?: boolean | undefined
  /** Node and what it is made of. @default false */
  readonly runtime?: boolean | undefined
  /** The operating system. @default false */
  readonly os?: boolean | undefined
  /** The process: ids, owner, directory, memory. @default false */
  readonly process?: boolean | undefined
  /** The application's own: each a function whose answer is merged into the rest. @default [] */
  readonly contributors?: readonly InfoContributor[] | undefined
}

/** The contributors that the options ask for, the application's own last. */
export function infoContributors(
  { build = true, git = true, runtime = false, os = false, process = false, contributors = [] }: InfoOptions,
  { clock, version }: { readonly clock: Clock; readonly version?: string | undefined },
): readonly InfoContributor[] {
  return [
    ...(build ? [buildInfo({ version })] : []),
    ...(git ? [gitInfo()] : []),
    ...(runtime ? [runtimeInfo()] : []),
    ...(os ? [osInfo()] : []),
    ...(process ? [processInfo(clock)] : []),
    ...contributors,
  ]
}
