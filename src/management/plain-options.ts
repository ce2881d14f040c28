import { parseDuration } from '../base/duration.ts'
import { lazy } from '../base/lazy.ts'
import { conventionNames } from '../metrics/convention-name.ts'
import { builtInIds } from './endpoints/endpoint.ts'
import type { ManagementOptions } from './options.ts'

/** What `basePath` has to match, and each name and each path of `paths`. */
export const basePathGrammar: RegExp = /^(\/|(\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])+)$/
export const placedNameGrammar: RegExp = /^[A-Za-z][A-Za-z0-9-]*(\/[^/{}\\]+)*$/
export const placedPathGrammar: RegExp = /^\/?[A-Za-z0-9._~-]*[A-Za-z0-9_~-](\/[A-Za-z0-9._~-]*[A-Za-z0-9_~-])*$/

/** The indicators that each management has by itself. */
export const ownIndicators: readonly string[] = ['livenessState', 'readinessState']

type Check = (value: unknown) => boolean

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

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function matches(grammar: RegExp): Check {
  return (value) => typeof value === 'string' && grammar.test(value)
}

function oneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value)
}

function listOf(isMember: Check): Check {
  // `every` omits the holes of an array.
  return (value) => Array.isArray(value) && !value.includes(undefined) && value.every(isMember)
}

/** An object literal whose names and values are of one kind. */
function recordOf(isName: Check, isMember: Check): Check {
  return (value) => isPlainObject(value) && namesOf(value).every((name) => isName(name) && isMember(value[name]))
}

/** An object literal that has no other members. */
function shape(members: Readonly<Record<string, Check>>): Check {
  return (value) =>
    isPlainObject(value) &&
    namesOf(value).every((name) => {
      const isValid = Object.hasOwn(members, name) ? members[name] : undefined
      return isValid !== undefined && (value[name] === undefined || isValid(value[name]))
    })
}

/** An object of any class. */
/** Returns a check for an object that has these functions. */
export function hasFunctions(...names: readonly string[]): Check {
  return (value) =>
    isObject(value) && !Array.isArray(value) && names.every((name) => isFunction(Reflect.get(value, name)))
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype
}

/** Returns all own names; a symbol, which no check accepts, becomes an empty one. */
function namesOf(value: object): readonly string[] {
  return Reflect.ownKeys(value).map((name) => (typeof name === 'string' ? name : ''))
}
