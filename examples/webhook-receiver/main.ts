import { parseArgs } from 'node:util'
import { shutdownGracefully } from 'upkeep/node'
import { describeFailure } from './failure.ts'
import { greetListening, greetPrepared } from './greeting.ts'
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
  // A forgotten promise is the failure of one request, not of the process.
  process.on('unhandledRejection', (error) => report('Unhandled rejection', error))
  const receiver = await startReceiver(settings, { newHook: values['new-hook'], log, report })
  shutdownGracefully(receiver.server, receiver.management, {
    delay: settings.shutdownDelay,
    hooks: [{ name: 'database', run: () => receiver.close() }],
    flush: receiver.telemetry === undefined ? [] : [receiver.telemetry],
    report: (message, cause) => (cause === undefined ? log.info(message) : report(message, cause)),
  })
  // After the signals are handled: a program that reads it may end the receiver at once.
  console.log(greetListening(receiver))
  const prepared = await receiver.prepared
  if (prepared !== undefined) console.log(greetPrepared(receiver, prepared, settings.managementToken !== undefined))
}
