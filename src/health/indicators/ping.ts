import type { HealthCheck } from '../indicator.ts'

/** Always `UP`: it shows that health is served at all. */
export function ping(): HealthCheck {
  return () => 'UP'
}
