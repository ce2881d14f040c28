import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import type { ManagementRequest, ManagementResponse } from 'upkeep/adapter'
import { requestWith } from './management-request.ts'

/** An answer with its JSON value, or `undefined` for an answer without content. */
export interface Answer extends ManagementResponse {
  readonly json: unknown
}

export interface Managed {
  readonly management: Management
  /** Sends a request to the management. Fails when the management passes it on. */
  readonly ask: (target: string, request?: Partial<ManagementRequest>) => Promise<Answer>
}

/** A management with these options, and how to ask it without a server. */
export function manage(options: ManagementOptions = {}): Managed {
  const management = createManagement(options)
  return {
    management,
    ask: async (target, request = {}) => {
      const response = await management({ ...requestWith({}), ...request, target })
      if (response === undefined) throw new Error(`${target} was passed on`)
      return { ...response, json: response.body === null ? undefined : JSON.parse(String(response.body)) }
    },
  }
}
