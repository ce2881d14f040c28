import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../../../examples/webhook-receiver/database/database.ts'
import { acknowledges } from './acknowledges.ts'
import { hasHooks } from './has-hooks.ts'
import { hasMessages } from './has-messages.ts'
import { identifiesResponses } from './identifies-responses.ts'
import { isManaged } from './is-managed.ts'
import { refuses } from './refuses.ts'
import { requiresAuthorization } from './requires-authorization.ts'
import { type ServedApp, serveApp } from './serve-app.ts'
import { survivesBrokenHttp } from './survives-broken-http.ts'

/** Tests the receiver over a database: `open` returns an empty one, with its tables. */
export function receiverOver(name: string, open: () => Promise<Database>): void {
  describe(`the receiver over ${name}`, () => {
    let database: Database
    let served: ServedApp
    beforeAll(async () => {
      database = await open()
      served = await serveApp(database)
    })
    afterEach(() => served.forget())
    afterAll(async () => {
      await served.stop()
      await database.close()
    })

    const app = () => served
    acknowledges(app)
    refuses(app)
    survivesBrokenHttp(app)
    identifiesResponses(app)
    isManaged(app)
    hasHooks(app)
    hasMessages(app)
    requiresAuthorization(app)

    it('has reported nothing: no sender can make the receiver fail', () => {
      expect(served.reports).toEqual([])
    })
  })
}
