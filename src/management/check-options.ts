import type * as z from 'zod/mini'
import { describeValue } from '../base/describe-value.ts'
import { invalidOption } from '../base/errors.ts'
import { lazy } from '../base/lazy.ts'
import { describeOptionErrors, type OptionIssue, type OptionSchema } from '../base/option-errors.ts'
import { accessOf } from '../http/authorize.ts'
import { methodsOf } from '../http/conventions/methods.ts'
import { guardEndpoints } from './access.ts'
import { builtInIds, guardedIds, isGuarded } from './endpoints/endpoint.ts'
import type { ManagementOptions } from './options.ts'
import { managementOptions } from './options-schema/management-options.ts'
import { requirements } from './options-schema/requirements.ts'
import { arePlainOptions } from './plain-options.ts'

const exampleOfAuthorize = 'bearerToken(process.env.MANAGEMENT_TOKEN)'

/**
 * Checks the options of createManagement.
 *
 * @throws TypeError naming each invalid option, what is expected, and what was received.
 */
export function checkOptions(options: ManagementOptions): void {
  const ownIds = idsOf(options)
  if (!(arePlainOptions(options) && requirements().every(({ isMet }) => isMet(options)))) requireValid(options, ownIds)
  requireUniqueIds(ownIds)
  requireExposedPaths(options)
  requireGuardedAccess(options)
  if (options.authorize !== undefined) return
  requireAuthorizeForAccess(options)
  requireAuthorizeForGuarded(options)
  requireAuthorizeForEndpoints(options)
  requireAuthorizeForHealth(options)
}

const builtInRules = /* @__PURE__ */ lazy(() => managementOptions(builtInIds))

/** Loads the schema of options. */
function requireValid(options: ManagementOptions, ownIds: readonly string[]): void {
  const rules = ownIds.length === 0 ? builtInRules() : managementOptions([...builtInIds, ...ownIds])
  if (!rules.isMetBy(options)) rejectOptions(options, rules.schema())
}

function rejectOptions(options: ManagementOptions, schema: z.ZodMiniType): void {
  const { success, error } = schema.safeParse(options)
  if (success) return
  const errors = describeOptionErrors(error.issues as readonly OptionIssue[], {
    options,
    schema: schema as OptionSchema,
    // A token passed in place of bearerToken(token) must not end up in a log.
    isSecret: ([first]) => first === 'authorize',
  })
  throw invalidOption(`createManagement: ${errors.join('; ')}`)
}

/** Reads the identifiers before anything is checked, so that errors can list them. */
function idsOf(options: ManagementOptions): readonly string[] {
  const endpoints: unknown = typeof options === 'object' && options !== null ? options.endpoints : undefined
  if (!Array.isArray(endpoints)) return []
  return endpoints.map((each: unknown) =>
    typeof each === 'object' && each !== null && 'id' in each ? String(each.id) : '',
  )
}

function requireUniqueIds(ids: readonly string[]): void {
  for (const [at, id] of ids.entries()) {
    if (![...builtInIds, ...ids.slice(0, at)].includes(id)) continue
    throw invalidOption(
      `createManagement: endpoints[${at}].id: expected an identifier that is not in use, received "${id}"`,
    )
  }
}

function requireExposedPaths({ paths = {}, expose = ['health'] }: ManagementOptions): void {
  for (const name of Object.keys(paths)) {
    const [id = ''] = name.split('/')
    if (expose.includes(id)) continue
    throw invalidOption(
      `createManagement: paths.${name}: expected one of the endpoints that "expose" lists ` +
        `(${expose.join(', ') || 'none'}), received "${id}"`,
    )
  }
}

/** Returns each rule of the option `access` with its path in the options. */
function accessRules({ access = {} }: ManagementOptions) {
  return Object.entries(access).flatMap(([id, rule]) => {
    if (typeof rule !== 'object' || 'roles' in rule) return [{ id, path: `access.${id}`, rule }]
    return Object.entries(rule).map(([side, one]) => ({ id, path: `access.${id}.${side}`, rule: one }))
  })
}

/** What shows or changes something of the process stays closed: a rule that opens it would be ignored. */
function requireGuardedAccess(options: ManagementOptions): void {
  for (const { id, path, rule } of accessRules(options)) {
    if (rule !== 'public' || !isGuarded(id)) continue
    throw invalidOption(
      `createManagement: ${path}: expected "authorized", { roles: ['ops'] } or "none", because the endpoint "${id}" ` +
        'always requires an authorized caller, received "public"',
    )
  }
}

/** Without `authorize`, an operation for authorized callers could never be called. */
function requireAuthorizeForAccess(options: ManagementOptions): void {
  for (const { id, path, rule } of accessRules(options)) {
    if (rule === undefined || rule === 'public' || rule === 'none') continue
    throw invalidOption(
      `createManagement: ${path}: expected ${isGuarded(id) ? '"none"' : '"public" or "none"'} ` +
        `without the option "authorize", received ${describeValue(rule)}`,
    )
  }
}

/** What shows or changes something of the process is never public. */
function requireAuthorizeForGuarded({ expose = [] }: ManagementOptions): void {
  const id = guardedIds.find((guarded) => expose.includes(guarded))
  if (id === undefined) return
  throw invalidOption(
    `createManagement: the endpoint "${id}" requires the option "authorize", such as ${exampleOfAuthorize}`,
  )
}

/** An endpoint of the application's own requires authorization unless its access is public. */
function requireAuthorizeForEndpoints({ endpoints = [], expose = [], access = {} }: ManagementOptions): void {
  const exposed = endpoints.filter(({ id }) => expose.includes(id))
  for (const { id, routes } of guardEndpoints(exposed, access)) {
    const isPublic = routes.every(({ resource }) =>
      methodsOf(resource).every((method) => accessOf(resource.access, method) === 'public'),
    )
    if (isPublic) continue
    throw invalidOption(
      `createManagement: the endpoint "${id}" requires the option "authorize", such as ${exampleOfAuthorize}; ` +
        `without it expected access.${id}: "public"`,
    )
  }
}

/** Without `authorize`, details for authorized callers would never be shown. */
function requireAuthorizeForHealth({ health = {} }: ManagementOptions): void {
  const views = [
    ['health', health] as const,
    ...Object.entries(health.groups ?? {}).map(([name, group]) => [`health.groups.${name}`, group] as const),
  ]
  for (const [path, view] of views) {
    for (const option of ['showDetails', 'showComponents'] as const) {
      if (view[option] !== 'when-authorized') continue
      throw invalidOption(
        `createManagement: ${path}.${option}: expected "never" or "always" without the option "authorize", ` +
          `such as ${exampleOfAuthorize}, received "when-authorized"`,
      )
    }
  }
}
