import type { Authorize, Management, Report } from 'upkeep'
import { createResources, type Resources } from 'upkeep/rest'
import type { Query } from './database/database.ts'
import { type HookResourcesOptions, hookResources } from './hooks/hook-resources.ts'
import { messageResources } from './messages/message-resources.ts'
import { version } from './version.ts'

export interface ReceiverResourcesOptions extends HookResourcesOptions {
  readonly authorize: Authorize
  readonly management: Management
  readonly report: Report
}

/** The resources for operators: hooks and their messages, described at `/openapi`. */
export function createReceiverResources(
  query: Query,
  { authorize, management, report, ...options }: ReceiverResourcesOptions,
): Resources {
  const json = ['application/json']
  return createResources({
    resources: [...hookResources(query, options), ...messageResources(query)],
    relations: {
      messages: { description: 'The messages of this hook, the newest first.' },
      search: { method: 'POST', requestTypes: json, description: 'Finds messages of this hook.' },
      'rotate-key': { method: 'POST', requestTypes: json, description: 'Makes another key, and tells it once.' },
      'rotate-signing-secret': {
        method: 'POST',
        requestTypes: json,
        description: 'Makes another secret to sign messages with, and tells it once.',
      },
    },
    description: { title: 'webhook-receiver', version, management },
    authorize,
    report,
  })
}
