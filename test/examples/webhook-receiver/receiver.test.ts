import { describe, expect, it } from 'vitest'
import { acceptsBodies } from './support/accepts-bodies.ts'
import { acknowledges } from './support/acknowledges.ts'
import { createTestDatabase, describePostgres } from './support/describe-postgres.ts'
import { hasHooks } from './support/has-hooks.ts'
import { hasMessages } from './support/has-messages.ts'
import { identifiesResponses } from './support/identifies-responses.ts'
import { isManaged } from './support/is-managed.ts'
import { openPrepared } from './support/open-prepared.ts'
import { refuses } from './support/refuses.ts'
import { requiresAuthorization } from './support/requires-authorization.ts'
import type { ServedApp } from './support/serve-app.ts'
import { survivesBrokenHttp } from './support/survives-broken-http.ts'
import { useApp } from './support/use-app.ts'

describe('the receiver', () => {
  const app = useApp()
  usesItsDatabase(app)
  // What is decided before the database is asked is the same over each.
  acceptsBodies(app)
  refuses(app)
  survivesBrokenHttp(app)
  identifiesResponses(app)
  requiresAuthorization(app)
  reportsNothing(app)
})

describePostgres((server) => {
  describe('the receiver over PostgreSQL', () => {
    const app = useApp({
      open: async () => openPrepared({ dataDir: '.', databaseUrl: await createTestDatabase(server()) }),
    })
    usesItsDatabase(app)
    reportsNothing(app)
  })
})

function usesItsDatabase(app: () => ServedApp): void {
  acknowledges(app)
  isManaged(app)
  hasHooks(app)
  hasMessages(app)
}

function reportsNothing(app: () => ServedApp): void {
  it('has reported nothing: no sender can make the receiver fail', () => {
    expect(app().reports).toEqual([])
  })
}
