import { parseArgs } from 'node:util'
import { describeFailure, reportToLog } from './failure.ts'
import { greeting } from './greeting.ts'
import { readSettings } from './settings.ts'
import { startReceiver } from './start.ts'

// A promise that nobody waited for is one request's failure, not everyone's.
process.on('unhandledRejection', (error) => reportToLog('A promise was rejected and nobody waited for it', error))

const stopAsked = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
})

try {
  await run()
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
}

/** Serves until it is asked to stop. */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { 'new-hook': { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  const receiver = await startReceiver(settings, { newHook: values['new-hook'], report: reportToLog })
  console.log(greeting(receiver, settings.managementToken !== undefined))
  await stopAsked
  // Whatever hangs, an orchestrator's patience ends after half a minute.
  setTimeout(() => process.exit(1), 25_000).unref()
  const stopped = receiver.stop()
  console.log('Stopping: no longer listening, answering what has arrived.')
  await stopped
}
