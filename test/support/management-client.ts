import { createManagement, type Management, type ManagementOptions } from 'upkeep'
import type { ManagementRequest, ManagementResponse } from 'upkeep/adapter'
import { requestWith } from './management-request.ts'

/** A response and its parsed JSON; `undefined` for a response without content. */
export interface JsonResponse extends ManagementResponse {
  readonly json: unknown
}

export interface ManagementClient {
  readonly management: Management
  /** Sends a request. Rejects when the management passes it to the next handler. */
  readonly send: (target: string, request?: Partial<ManagementRequest>) => Promise<JsonResponse>
}

/** Creates a management with these options, and a client that calls it without a server. */
export function createManagementClient(options: ManagementOptions = {}): ManagementClient {
  const management = createManagement(options)
  return {
    management,
    send: async (target, request = {}) => {
      const response = await management({ ...requestWith({}), ...request, target })
      if (response === undefined) throw new Error(`${target} was passed on`)
      return { ...response, json: response.body === null ? undefined : JSON.parse(String(response.body)) }
    },
  }
}
