import * as z from 'zod/mini'
import type { EndpointAccess, OperationAccess } from '../access.ts'
import { placedNameGrammar, placedPathGrammar } from '../plain-options.ts'
import { anObject, functionValue } from './values.ts'

/** The access of each endpoint, and of all others. */
export function accessOptions(ids: readonly string[]): z.ZodMiniType {
  const access = (id: string) =>
    z.custom<EndpointAccess>(
      // An object without a rule for the endpoint `constructor` inherits a function of that name.
      (value) => isEndpointAccess(value) || value === Reflect.get(Object.prototype, id),
      "'public', 'authorized', 'none', { roles: ['ops'] } or { read, write } of these",
    )
  const byId = Object.fromEntries([...ids, '*'].map((id) => [id, z.optional(access(id))]))
  return z.strictObject(byId, 'an object of access rules by endpoint id')
}

function isEndpointAccess(value: unknown): value is EndpointAccess {
  if (isOperationAccess(value)) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).every(
    ([side, rule]) => (side === 'read' || side === 'write') && (rule === undefined || isOperationAccess(rule)),
  )
}

function isOperationAccess(value: unknown): value is OperationAccess {
  if (value === 'public' || value === 'authorized' || value === 'none') return true
  if (typeof value !== 'object' || value === null || !('roles' in value)) return false
  const { roles, ...rest } = value
  const isList =
    Array.isArray(roles) && roles.length > 0 && roles.every((role) => typeof role === 'string' && role !== '')
  return isList && Object.keys(rest).length === 0
}

/** Routes are at the identifier of their endpoint or below it, so that no endpoint can hide another. */
export function endpointOptions(): z.ZodMiniType {
  const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
  const operation = z.optional(functionValue())
  const resource = z
    .looseObject(Object.fromEntries(methods.map((method) => [method, operation])), anObject)
    .check(
      z.refine(
        (value) => methods.some((method) => value[method] !== undefined),
        'an object with a function "get", "post", "put", "patch" or "delete"',
      ),
    )
  const id = "an identifier such as 'queues': letters, digits and hyphens"
  const path = "a path such as 'queues' or 'queues/{name}'"
  return z
    .looseObject(
      {
        id: z.string(id).check(z.regex(/^[A-Za-z][A-Za-z0-9-]*$/, id)),
        routes: z
          .array(
            z.looseObject({
              path: z.string(path).check(z.regex(/^[\w.~-]+(\/([\w.~-]+|\{\w+\}))*(\/\{\*\w+\})?$/, path)),
              resource,
            }),
            'an array of routes',
          )
          .check(z.minLength(1, 'an array of at least one route')),
        auditedReads: z.optional(z.array(z.string(), 'an array of paths of routes')),
        describe: z.optional(functionValue()),
      },
      'an endpoint: { id, routes }',
    )
    .check(
      z.refine(({ id, routes }) => routes.every(({ path }) => path === id || path.startsWith(`${id}/`)), {
        path: ['routes'],
        message: 'routes whose paths begin with the id of the endpoint',
      }),
    )
}

/** Paths by the id of an endpoint, or by a path below one. */
export function pathsOptions(): z.ZodMiniType {
  const name = "the id of an endpoint, or a path below one such as 'health/liveness'"
  const path = "a path such as '/metrics' or 'scrape/prometheus', without a trailing slash"
  return z.record(
    z.string(name).check(z.regex(placedNameGrammar, name)),
    z.string(path).check(z.regex(placedPathGrammar, path)),
    'an object of paths by endpoint id',
  )
}
