import { kindOf } from '../base/callback.ts'
import type { RegisteredApplication, RegistrationOptions } from './registration-options.ts'

/**
 * Returns the JSON by which an instance registers. It is the same for each heartbeat: a server stores an event whenever
 * it changes.
 *
 * @throws TypeError if neither the options nor the application has a name.
 */
export function registrationBody(
  { application, paths: { health = 'health' } = {} }: RegisteredApplication,
  options: RegistrationOptions,
): string {
  const { managementUrl, healthUrl = endpointUrl(managementUrl, health), serviceUrl, credential } = options
  const { name = application?.name, tags = {}, metadata = {} } = options
  if (name === undefined) {
    throw new TypeError(
      'registerAtSpringBootAdmin: name: expected a string, because createManagement has no option "application", ' +
        `received ${kindOf(name)}`,
    )
  }
  return JSON.stringify({
    name,
    managementUrl,
    healthUrl,
    ...(serviceUrl !== undefined && { serviceUrl }),
    metadata: {
      startup: new Date(performance.timeOrigin).toISOString(),
      ...Object.fromEntries(Object.entries(tags).map(([tag, value]) => [`tags.${tag}`, value])),
      ...metadata,
      ...(credential && { 'user.name': credential.username, 'user.password': credential.password }),
    },
  })
}

/** A path with a leading slash begins at the root of the server. */
function endpointUrl(managementUrl: string, path: string): string {
  return path.startsWith('/') ? new URL(path, managementUrl).href : below(managementUrl, path)
}

/** Returns the URL of a path below another URL. */
export function below(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path}`
}
