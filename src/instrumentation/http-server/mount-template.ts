/** Matches a wildcard for the rest of a path, as Express, Hono and Fastify write it. */
const anyRest = /(?:\/?\*\w*|\/?\{\*\w+\}|\{\/\*\w+\})$/

/**
 * Returns the template of requests that end inside of a mount without a route: `/static/**` for what is mounted at
 * `/static` or `/static/*`. Returns `undefined` for a mount at the root, which has every request.
 */
export function mountTemplate(path: string): string | undefined {
  const mount = path.replace(anyRest, '').replace(/\/+$/, '')
  return mount === '' ? undefined : `${mount}/**`
}
