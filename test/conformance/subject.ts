import { bearerToken, createManagement, type Management } from '../../src/index.ts'
import type { Answer, Ask } from '../support/ask.ts'

/** A server that an adapter stands in, as the suites see it. */
export interface Subject {
  readonly ask: (request: Ask) => Promise<Answer>
  readonly port: number
  /** Where the management endpoints are, prefix included. */
  readonly at: string
  readonly management: Management
  /** What the adapter told of failures so far. */
  readonly reported: readonly unknown[]
}

export const token = 'let-me-in'

/** The management that every adapter is given. */
export function createSubjectManagement(basePath = '/management'): Management {
  return createManagement({
    basePath,
    application: { name: 'orders', version: '1.4.2' },
    expose: ['health', 'info', 'metrics', 'prometheus'],
    health: {
      indicators: {
        db: () => ({ status: 'UP', details: { database: 'PostgreSQL 17' } }),
        cache: { indicators: { near: () => 'UP', far: () => ({ status: 'UNKNOWN', details: { miles: 7 } }) } },
      },
      groups: { storage: { include: ['db', 'cache/far'], showDetails: 'always' } },
      showComponents: 'always',
      showDetails: 'when-authorized',
    },
    info: { build: false, git: false, contributors: [() => ({ team: { name: 'Éléonore ☂', size: 3 } })] },
    authorize: bearerToken(token),
  })
}
