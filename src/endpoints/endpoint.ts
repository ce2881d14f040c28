import type { Route } from '../http/router.ts'

/** Something that can be exposed under its id: routes, each with the name of its link on the discovery page. */
export interface Endpoint {
  readonly id: string
  readonly routes: readonly (Route & { readonly link: string })[]
}
