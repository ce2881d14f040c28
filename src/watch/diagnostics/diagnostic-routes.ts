import type { Route } from '../../http/router.ts'
import type { ProfileSettings } from '../profile/profile-options.ts'
import { pprofRoutes, profileRoutes } from '../profile/profile-routes.ts'
import { captureRoutes } from '../recorder/capture-routes.ts'
import { threadDumpRoute } from '../threads/thread-dump-route.ts'
import type { RunOperation } from './diagnostic-operation.ts'

/**
 * Returns the endpoints that the watchdog serves on its port: those that need nothing of the main thread. `isDebugged`
 * returns whether a debugger may be attached to the main thread.
 */
export function diagnosticRoutes(
  run: RunOperation,
  profile: ProfileSettings,
  isDebugged: () => boolean,
  hasRecorder: boolean,
): readonly Route[] {
  const captures = hasRecorder ? captureRoutes(run) : []
  return [...profileRoutes(run, profile), ...pprofRoutes(run, profile), threadDumpRoute(run, isDebugged), ...captures]
}
