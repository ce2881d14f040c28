import cluster from 'node:cluster'
import type { ApplicationPackage } from './application-package.ts'

/** The group of processes that this process belongs to. */
export interface OwnGroup {
  /** `undefined` for that of `node:cluster`. */
  readonly name: string | undefined
  /** Whether this process is the primary, which serves no requests. */
  readonly isPrimary: boolean
}

/**
 * Returns the group of this process by the setting, PM2 or `node:cluster`. `undefined` if it is the only process of the
 * application.
 */
export function ownGroup(
  setting: string | undefined,
  application: ApplicationPackage,
  isPrimary: boolean,
): OwnGroup | undefined {
  const name = setting ?? pm2Group(application)
  return name === undefined && !isPrimary && !cluster.isWorker ? undefined : { name, isPrimary }
}

/** The instances of one application of PM2, also of several in one package. */
function pm2Group({ name }: ApplicationPackage): string | undefined {
  const { pm_id: id, name: pm2Name = name } = process.env
  return id === undefined ? undefined : `${pm2Name}-${process.ppid}`
}
