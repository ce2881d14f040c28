/** A route handler of the folder `app/`. */
export type RouteHandler = (request: Request) => Promise<Response>

/** The route handlers of a file `route.ts`, by method. */
export type RouteHandlers = Readonly<
  Record<'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS', RouteHandler>
>

/** Returns route handlers of which each calls the same function. */
export function allMethods(handle: RouteHandler): RouteHandlers {
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle }
}
