import { parseArgs } from 'node:util'
import { shutdownGracefully } from 'upkeep/node'
import { describeFailure } from './failure.ts'
import { greeting } from './greeting.ts'
import { createReceiverLog, reportTo } from './log.ts'
import { readSettings } from './settings.ts'
import { startReceiver } from './start.ts'

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
  const log = createReceiverLog(settings)
  const report = reportTo(log)
  // A promise that nobody waited for is one request's failure, not everyone's.
  process.on('unhandledRejection', (error) => report('A promise was rejected and nobody waited for it', error))
  const receiver = await startReceiver(settings, { newHook: values['new-hook'], log, report })
  shutdownGracefully(receiver.server, receiver.management, {
    delay: settings.shutdownDelay,
    hooks: [{ name: 'database', run: () => receiver.close() }],
    flush: receiver.telemetry === undefined ? [] : [receiver.telemetry],
    report: (message, cause) => (cause === undefined ? log.info(message) : report(message, cause)),
  })
  // Last: whoever reads it may end the receiver at once.
  console.log(greeting(receiver, settings.managementToken !== undefined))
}
