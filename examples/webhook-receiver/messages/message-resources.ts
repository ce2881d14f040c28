import { HttpError } from 'upkeep'
import { collection, pathTo, type ResourceDefinition, representation } from 'upkeep/rest'
import { z } from 'zod'
import type { Query } from '../database/database.ts'
import { isId } from '../hooks/hook-id.ts'
import { utc } from '../hooks/managed-hooks.ts'
import { listMessages, readMessage } from './stored-messages.ts'

const messageSchema = z.object({
  id: z.uuid(),
  text: z.string(),
  receivedAt: z.iso.datetime(),
  username: z.string().optional(),
  channel: z.string().optional(),
  iconUrl: z.string().optional(),
  iconEmoji: z.string().optional(),
  attachments: z.array(z.record(z.string(), z.unknown())).readonly().optional(),
  props: z.record(z.string(), z.unknown()).optional(),
  deliveryId: z.string().optional(),
})
const text = z.string().regex(/^[^\0]*$/, 'must not hold U+0000')
const firstTime = Date.parse('0001-01-01T00:00:00Z')
const lastTime = Date.parse('9999-12-31T23:59:59.999Z')
/** A time in UTC, of a year that RFC 3339 and PostgreSQL both know. PostgreSQL takes only offsets below 16 hours. */
const time = z.iso
  .datetime({ offset: true })
  .refine(
    (text) => Date.parse(text) >= firstTime && Date.parse(text) <= lastTime,
    'must be of the years 1 to 9999, in UTC',
  )
  .transform(utc)
const criteria = z.strictObject({
  text: text.optional(),
  username: text.optional(),
  channel: text.optional(),
  receivedSince: time.optional(),
  receivedBefore: time.optional(),
})

const path = 'hooks/{hook}/messages/{message}'

/** Returns the messages of each hook for its operators, the newest first. The total is not counted. */
export function messageResources(query: Query): readonly ResourceDefinition[] {
  const demandHook = async (id: string) => {
    const [hook] = isId(id) ? await query('select id from hooks where id = $1', [id]) : []
    if (hook === undefined) throw new HttpError(404, 'There is no such hook.')
    return id
  }
  // One more than requested shows whether there are more.
  const oneMore = (page: { readonly size: number; readonly startIndex: number }) => ({ ...page, size: page.size + 1 })
  return [
    collection(path, {
      access: 'authorized',
      representation: representation('message', messageSchema),
      lastModified: ({ receivedAt }) => new Date(receivedAt),
      filters: criteria,
      list: async ({ variables: { hook }, page, filters }) => {
        const items = await listMessages(query, await demandHook(hook), filters, oneMore(page))
        return { items, more: items.length > page.size }
      },
      search: {
        criteria,
        run: async ({ variables: { hook }, page, body }) => {
          const items = await listMessages(query, await demandHook(hook), body, oneMore(page))
          return { items, more: items.length > page.size }
        },
      },
      read: async ({ variables: { hook, message } }) =>
        isId(hook) && isId(message) ? readMessage(query, hook, message) : undefined,
      links: ({ id }, { variables }) => ({
        self: pathTo(path, { hook: variables.hook, message: id }),
        collection: pathTo('hooks/{hook}/messages', { hook: variables.hook }),
      }),
    }),
  ]
}
