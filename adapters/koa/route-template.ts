import { mountTemplate } from '../../src/entries/adapter.ts'

/** The members of a Koa 2 or 3 context that identify the route of a request, or its mount. */
export interface RoutedContext {
  /** Set by @koa/router: the template of the route. */
  readonly _matchedRoute?: string | RegExp | undefined
  /** Set by koa-mount, which accepts no patterns, and not reset where the request is passed on. */
  readonly mountPath?: string | undefined
  readonly response: {
    readonly status: number
    /** Whether the application has set a status, or a body; the status is Koa's own 404 otherwise. */
    readonly _explicitStatus?: boolean | undefined
  }
}

/** Returns the template of the route of a request, or of the mount in which it ended. */
export function templateOf(context: RoutedContext): string | undefined {
  const { _matchedRoute: route } = context
  return route === undefined ? mountTemplateOf(context) : String(route)
}

function mountTemplateOf({ mountPath, response }: RoutedContext): string | undefined {
  return mountPath === undefined || !response._explicitStatus ? undefined : mountTemplate(mountPath)
}
