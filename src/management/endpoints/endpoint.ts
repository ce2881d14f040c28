import type { Route } from '../../http/router.ts'

/** The endpoints that there are. */
export const endpointIds = ['health', 'info', 'metrics', 'prometheus', 'loggers'] as const

export type EndpointId = (typeof endpointIds)[number]

/** Something that can be exposed under its id: routes, each with the name of its link on the discovery page. */
export interface Endpoint {
  readonly id: EndpointId
  readonly routes: readonly (Route & { readonly link: string })[]
}
