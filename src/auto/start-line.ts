import type { ObservedApplication } from './application/observe-application.ts'
import type { ApplicationPackage } from './application-package.ts'
import type { Settings } from './settings/auto-options.ts'

interface Started {
  readonly settings: Settings
  readonly application: ApplicationPackage
  /** `undefined` if nothing is measured, or the modules of the application are not loaded yet. */
  readonly observed: ObservedApplication | undefined
  readonly isExported: boolean
}

/** Returns the line that is written when the management is served: what is served where, and what a token would add. */
export function describeStart({ settings, application, observed, isExported }: Started): string {
  const { host = '', port, server, token, management } = settings
  const { basePath = '/management', expose = settings.expose, paths = {} } = management
  const base = basePath === '/' ? '' : basePath
  const pathOf = (id: string, usual: string) => {
    const path = paths[id] ?? usual
    return path.startsWith('/') ? path : `${base}/${path}`
  }
  const url = `${server.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const title = [application.name, application.version].filter(Boolean).join(' ')
  const { found = [], unseen = [] } = observed ?? {}
  const rest = expose.filter((id) => id !== 'health')
  return [
    `${title}: health at ${url}${pathOf('health', 'health')}`,
    `probes at ${pathOf('health/liveness', '/livez')} and ${pathOf('health/readiness', '/readyz')}`,
    ...(token === undefined ? ['set UPKEEP_TOKEN to serve metrics and diagnostics as well'] : []),
    ...(rest.length === 0 ? [] : [`${token === undefined ? 'also' : 'with the token'} ${rest.join(', ')}`]),
    ...(rest.includes('console') ? [`console at ${url}${pathOf('console', 'console')}`] : []),
    ...(isExported ? ['exports by OTLP'] : []),
    ...(found.length > 0 ? [`observes ${found.join(', ')}`] : []),
    ...(unseen.length > 0 ? [`cannot observe ${unseen.join(', ')}`] : []),
  ].join('; ')
}
