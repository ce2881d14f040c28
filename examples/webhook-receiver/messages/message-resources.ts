import { HttpError } from 'upkeep'
import { collection, pathTo, type ResourceDefinition, representation } from 'upkeep/rest'
import { z } from 'zod'
import type { Query } from '../database/database.ts'
import { isId } from '../hooks/hook-id.ts'
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
const time = z.iso.datetime({ offset: true })
const criteria = z.strictObject({
  text: text.optional(),
  username: text.optional(),
  channel: text.optional(),
  receivedSince: time.optional(),
  receivedBefore: time.optional(),
})

const path = 'hooks/{hook}/messages/{message}'

/** The messages of each hook for its operators, the newest first. How many there are in all is not counted. */
export function messageResources(query: Query): readonly ResourceDefinition[] {
  const demandHook = async (id: string) => {
    const [hook] = isId(id) ? await query('select id from hooks where id = $1', [id]) : []
    if (hook === undefined) throw new HttpError(404, 'There is no such hook.')
    return id
  }
  // One more than is asked for says whether there are more.
  const oneMore = (page: { readonly size: number; readonly startIndex: number }) => ({ ...page, size: page.size + 1 })
  return [
    collection(path, {
      access: 'authorized',
      representation: representation('message', messageSchema),
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
