import { isIP } from 'node:net'
import { parseDuration } from '../../base/duration.ts'
import { lazy } from '../../base/lazy.ts'
import { type Check, isFlag, isObject, isText, listOf, matches, oneOf, shape } from '../../base/plain-check.ts'
import { type DiscoveredKind, discoveredComponents } from '../../health/discovery/client-kind.ts'
import { builtInIds } from '../../management/endpoints/endpoint.ts'
import type { AutoOptions } from './auto-options.ts'

/** What can be discovered. */
export const components: readonly DiscoveredKind[] = [...discoveredComponents, 'diskSpace']

/** What a token consists of. */
export const tokenGrammar: RegExp = /^[\x21-\x7e]+$/

/** Returns whether a text is an IP address or the name of a host. */
export function isHost(text: string): boolean {
  return isIP(text) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(text)
}

/**
 * Returns whether options are valid, where no schema is needed for that. `false` means that the schema decides, which
 * is loaded for it.
 */
export function arePlainSettings(options: unknown): boolean {
  return isPlain()(options)
}

const isPlain = lazy(() => {
  const count: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 1
  const duration: Check = (value) => typeof value === 'string' && parseDuration(value) !== undefined
  return shape({
    port: (value) => count(value) && Number(value) <= 65_535,
    host: (value) => typeof value === 'string' && isHost(value),
    tls: shape({ certFile: isText, keyFile: isText, clientCaFile: isText }),
    maxConnections: count,
    maxConnectionsPerAddress: count,
    auditFile: isText,
    token: matches(tokenGrammar),
    expose: listOf(oneOf(builtInIds)),
    conventions: oneOf(['micrometer', 'opentelemetry']),
    group: isText,
    logTraceIds: isFlag,
    routes: listOf((value) => typeof value === 'string' && value.startsWith('/')),
    discover: (value) => isFlag(value) || listOf(oneOf(components))(value),
    readiness: listOf(isText),
    shutdown: shape({ delay: duration, timeout: duration }),
    management: isObject,
  } satisfies Record<keyof AutoOptions, Check>)
})
