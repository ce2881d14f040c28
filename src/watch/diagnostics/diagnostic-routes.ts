import type { Route } from '../../http/router.ts'
import type { ProfileSettings } from '../profile/profile-options.ts'
import { pprofRoutes, profileRoutes } from '../profile/profile-routes.ts'
import type { RunOperation } from './diagnostic-operation.ts'

/** Returns the endpoints that the watchdog serves on its port: those that need nothing of the main thread. */
export function diagnosticRoutes(run: RunOperation, profile: ProfileSettings): readonly Route[] {
  return [...profileRoutes(run, profile), ...pprofRoutes(run, profile)]
}
