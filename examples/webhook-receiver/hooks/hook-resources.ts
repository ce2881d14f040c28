import { HttpError } from 'upkeep'
import { collection, controller, created, pathTo, type ResourceDefinition, representation } from 'upkeep/rest'
import { z } from 'zod'
import type { Query } from '../database/database.ts'
import { hookPage } from '../page/hook-page.ts'
import { isId } from './hook-id.ts'
import { createHook } from './hooks.ts'
import { createManagedHooks } from './managed-hooks.ts'

export interface HookResourcesOptions {
  /** How long previous keys of a hook remain valid after a rotation, by default. */
  readonly keyOverlapSeconds: number
  /** Called when a hook was changed. */
  readonly onChange: () => void
}

const time = z.iso.datetime()
const settings = {
  // Without control characters, and without surrounding white space or a byte order mark.
  name: z
    .string()
    .trim()
    .max(200)
    .regex(/^[^\p{Cc}\p{Surrogate}]*$/u, 'must hold no control characters'),
  enabled: z.boolean(),
  signed: z.boolean(),
}
const hookSchema = z.object({
  id: z.uuid(),
  ...settings,
  keys: z.array(z.object({ createdAt: time, expiresAt: time.nullable() })).readonly(),
  version: z.int(),
  createdAt: time,
  updatedAt: time,
  key: z.string().optional().meta({ description: 'Told once, by what has made it.' }),
  signingSecret: z.string().optional().meta({ description: 'Told once, by what has made it.' }),
})
const draft = z.strictObject({
  name: settings.name.default(''),
  enabled: settings.enabled.default(true),
  signed: settings.signed.default(false),
})
const rotation = z.strictObject({
  overlapSeconds: z.int().min(0).max(31_536_000).optional(),
})
const filters = z.object({
  name: z
    .string()
    .regex(/^[^\0]*$/, 'must not hold U+0000')
    .optional(),
  enabled: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})

const path = 'hooks/{hook}'

/**
 * Returns the resources of hooks for operators: a collection, and the verbs that create secrets. A secret is shown
 * once, in the response that created it.
 */
export function hookResources(
  query: Query,
  { keyOverlapSeconds, onChange }: HookResourcesOptions,
): readonly ResourceDefinition[] {
  const hooks = createManagedHooks(query)
  const shown = {
    access: 'authorized',
    representation: representation('hook', hookSchema),
    lastModified: ({ updatedAt }: z.infer<typeof hookSchema>) => new Date(updatedAt),
    links: ({ id }: z.infer<typeof hookSchema>) => {
      const self = pathTo(path, { hook: id })
      return {
        self,
        messages: `${self}/messages`,
        search: `${self}/messages/search`,
        'rotate-key': `${self}/rotate-key`,
        'rotate-signing-secret': `${self}/rotate-signing-secret`,
      }
    },
  } as const
  const find = async (id: string) => (isId(id) ? hooks.read(id) : undefined)
  const demand = async (id: string) => {
    const hook = await find(id)
    if (hook === undefined) throw new HttpError(404, 'There is no such hook.')
    return hook
  }
  const changed = (isDone: boolean) => {
    onChange()
    if (!isDone) throw new HttpError(412, 'The hook was changed in the meantime.')
  }

  return [
    collection(path, {
      ...shown,
      filters,
      list: async ({ page, filters }) => ({
        items: await hooks.list(filters, page),
        total: await hooks.count(filters),
      }),
      read: ({ variables }) => find(variables.hook),
      accepts: z.strictObject(settings),
      replace: async ({ body, current }) => {
        if (body.signed && !current.signed) {
          throw new HttpError(409, 'The hook has no signing secret: rotate-signing-secret makes one, and tells it.')
        }
        changed(await hooks.replace(current, body))
      },
      remove: async ({ current }) => changed(await hooks.remove(current)),
      requirePrecondition: true,
      forms: { 'text/html; charset=utf-8': hookPage },
    }),
    collection(path, {
      ...shown,
      // The response contains secrets.
      caching: 'no-store',
      accepts: draft,
      create: async ({ body }) => {
        const { id, key, signingSecret } = await createHook(query, body)
        const hook = { ...(await demand(id)), key, ...(signingSecret !== undefined && { signingSecret }) }
        // The secrets are never at that address.
        return created(pathTo(path, { hook: id }), hook, { headers: { 'Content-Location': undefined } })
      },
    }),
    controller(`${path}/rotate-key`, {
      ...shown,
      accepts: rotation,
      run: async ({ variables: { hook: id }, body: { overlapSeconds = keyOverlapSeconds } }) => {
        await demand(id)
        const key = await hooks.rotateKey(id, overlapSeconds)
        onChange()
        return { ...(await demand(id)), ...(key !== undefined && { key }) }
      },
    }),
    controller(`${path}/rotate-signing-secret`, {
      ...shown,
      accepts: z.strictObject({}),
      run: async ({ variables: { hook: id } }) => {
        await demand(id)
        const signingSecret = await hooks.rotateSigningSecret(id)
        onChange()
        return { ...(await demand(id)), ...(signingSecret !== undefined && { signingSecret }) }
      },
    }),
  ]
}
