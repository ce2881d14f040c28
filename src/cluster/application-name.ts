import { basename } from 'node:path'

/** Returns the name by which the processes of one application find each other. */
export function applicationName(application: { readonly name: string } | undefined): string {
  if (application !== undefined) return application.name
  // PM2 starts several applications from one process, each with a name of its own in the environment.
  const { pm_id: pm2, name } = process.env
  if (pm2 !== undefined && name !== undefined) return name
  return process.argv[1] ?? basename(process.execPath)
}
