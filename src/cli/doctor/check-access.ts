import { finding, type Outcome } from './outcome.ts'

/** The finding of endpoints that everyone can read. */
export function openEndpoints(ids: readonly string[]): Outcome {
  return finding(
    'access',
    `everyone who reaches the service can read ${ids.join(', ')}`,
    "createManagement({ access: { '*': 'authorized', health: 'public' }, authorize: bearerToken(process.env.TOKEN) })",
  )
}
