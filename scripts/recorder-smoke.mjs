// Blocks the event loop, and prints what the flight recorder has captured: its rule and type, and why there is no
// profile. Usage, in the repository and after `npm run build`: bun scripts/recorder-smoke.mjs
import { setTimeout as wait } from 'node:timers/promises'
import { createManagement } from 'upkeep'
import { watchdog } from 'upkeep/node'

const captured = Promise.withResolvers()
const management = createManagement({
  report: () => {},
  recorder: { blockedLoop: '300ms', onCapture: captured.resolve },
})
await watchdog(management, { port: 0 })
// The thread must have seen that the loop turns.
await wait(500)
for (const end = Date.now() + 1_500; Date.now() < end; );
const { rule, type, details } = await Promise.race([captured.promise, wait(10_000, { details: {} })])
console.log(`${rule}: ${type}, ${details.missingProfile ?? 'with a profile'}`)
process.exit(0)
