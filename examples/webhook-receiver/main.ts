import { parseArgs } from 'node:util'
import { shutdownGracefully } from 'upkeep/node'
import { describeFailure, reportToLog } from './failure.ts'
import { greeting } from './greeting.ts'
import { readSettings } from './settings.ts'
import { startReceiver } from './start.ts'

// A promise that nobody waited for is one request's failure, not everyone's.
process.on('unhandledRejection', (error) => reportToLog('A promise was rejected and nobody waited for it', error))

try {
  await run()
} catch (error) {
  console.error(describeFailure(error))
  process.exitCode = 1
}

/** Serves until a signal ends it. */
async function run(): Promise<void> {
  const { values } = parseArgs({ options: { 'new-hook': { type: 'boolean', default: false } } })
  const settings = readSettings(process.env)
  const receiver = await startReceiver(settings, { newHook: values['new-hook'], report: reportToLog })
  console.log(greeting(receiver, settings.managementToken !== undefined))
  shutdownGracefully(receiver.server, receiver.management, {
    delay: settings.shutdownDelay,
    hooks: [{ name: 'database', run: () => receiver.close() }],
    report: reportToLog,
  })
}
