import { randomUUID } from 'node:crypto'
import type { Query } from '../database/database.ts'
import type { Hook } from '../hooks/hooks.ts'
import type { Message } from './parse-message.ts'

/** Stores a message. It is committed when the promise resolves. */
export async function storeMessage(query: Query, hook: Hook, { text }: Message): Promise<void> {
  await query('insert into messages (id, hook_id, text) values ($1, $2, $3)', [randomUUID(), hook.id, text])
}
