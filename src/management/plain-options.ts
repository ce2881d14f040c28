import { parseDuration } from '../base/duration.ts'
import { lazy } from '../base/lazy.ts'
import {
  type Check,
  hasFunctions,
  isFlag,
  isFunction,
  isObject,
  isText,
  listOf,
  matches,
  oneOf,
  recordOf,
  shape,
} from '../base/plain-check.ts'
import { conventionNames } from '../metrics/convention-name.ts'
import { builtInIds } from './endpoints/endpoint.ts'
import type { ManagementOptions } from './options.ts'

/** What `basePath` has to match, and each name and each path of `paths`. */
export const basePathGrammar: RegExp = /^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/
export const placedNameGrammar: RegExp = /^[A-Za-z][A-Za-z0-9-]*(\/[^/{}\\]+)*$/
export const placedPathGrammar: RegExp = /^\/?[A-Za-z0-9._~-]*[A-Za-z0-9_~-](\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])*$/

/** The indicators that each management has by itself. */
export const ownIndicators: readonly string[] = ['livenessState', 'readinessState']

/**
 * Returns whether options are valid, where no schema is needed for that: they have the usual members, each of the usual
 * type. `false` means that the schema decides, which is loaded for it.
 */
export function arePlainOptions(options: unknown): boolean {
  return isPlain()(options)
}

const isPlain = /* @__PURE__ */ lazy(optionsCheck)

function optionsCheck(): Check {
  const audience = oneOf(['never', 'when-authorized', 'always'])
  const view: Readonly<Record<string, Check>> = {
    order: listOf(isText),
    // Others are rare, and have exceptions.
    httpMapping: recordOf(isText, oneOf([200, 503])),
    format: oneOf(['actuator', 'terminus']),
    showDetails: audience,
    showComponents: audience,
    roles: (value) => listOf(isText)(value) && (value as unknown[]).length > 0,
  }
  const group = shape({ ...view, include: listOf(isText), exclude: listOf(isText) })
  const isTag: Check = (value) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
  return shape({
    application: (value) =>
      shape({ name: isText, version: isText })(value) && isText((value as { name: unknown }).name),
    basePath: matches(basePathGrammar),
    paths: recordOf(matches(placedNameGrammar), matches(placedPathGrammar)),
    conventions: oneOf(conventionNames),
    expose: listOf(oneOf(builtInIds)),
    access: recordOf(oneOf([...builtInIds, '*']), oneOf(['public', 'authorized', 'none'])),
    health: shape({
      ...view,
      indicators: (value) => isObject(value) && !ownIndicators.some((name) => Object.hasOwn(value, name)),
      groups: recordOf((name) => isText(name) && !String(name).includes('/'), group),
      discover: (value) => isFlag(value) || hasFunctions('add', 'targetsOf', 'close')(value),
      slowCheck: (value) => typeof value === 'string' && (parseDuration(value) ?? 0) > 0,
    }),
    info: shape({
      ...{ build: isFlag, git: isFlag, runtime: isFlag, os: isFlag, process: isFlag, container: isFlag, ssl: isFlag },
      contributors: listOf(isFunction),
    }),
    metrics: shape({
      commonTags: recordOf(isText, isTag),
      sources: listOf(isObject),
      filters: listOf(isObject),
      createdTimestamps: isFlag,
      exemplar: isFunction,
      runtime: isFlag,
    }),
    observation: shape({ managementRequests: isFlag, redactPath: isFunction }),
    tracing: isFlag,
    loggers: hasFunctions('names', 'level', 'configure'),
    logFile: isText,
    caches: hasFunctions('list', 'measure'),
    scheduledTasks: hasFunctions('read', 'measure'),
    ssl: hasFunctions('bundles', 'measure'),
    authorize: isFunction,
    audit: isFunction,
    clock: hasFunctions('wallTime', 'monotonicTime'),
    report: isFunction,
  } satisfies Partial<Record<keyof ManagementOptions, Check>>)
}
