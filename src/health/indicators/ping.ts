import type { HealthCheck } from '../indicator.ts'

/** Always `UP`: shows that the application serves health. */
export function ping(): HealthCheck {
  return () => 'UP'
}
