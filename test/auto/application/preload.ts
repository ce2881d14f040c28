/*
 * Stands for the entry point `upkeep/auto` in a test application: sets the traps, observes the application when its
 * first server listens, and sends what was recorded when the test requests it.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { observeApplication } from '../../../src/auto/application/observe-application.ts'
import { setTraps } from '../../../src/auto/traps.ts'
import { bearerToken, createManagement, type Management } from '../../../src/entries/index.ts'
import type { SnapshotSource } from '../../../src/metrics/snapshot.ts'
import { createNativeTracing } from '../../../src/tracing/create-tracing.ts'
import { installTracing } from '../../../src/tracing/current-tracing.ts'
import { collectEndedSpans } from '../../support/ended-spans.ts'
import { requestCounts } from '../../support/request-counts.ts'

const traps = setTraps()
const wakes = 'tracing:net.server.listen:asyncStart'
const reports: string[] = []

const wake = (): void => {
  unsubscribe(wakes, wake)
  const report = (message: string, cause?: unknown) => void reports.push(`${message} ${cause}`)
  const { ended, processor } = collectEndedSpans()
  if (process.env['TEST_TRACING'] !== 'off') {
    // Safe: the processor has the members that the recorder calls.
    installTracing(createNativeTracing({ recorder: { processor } as never }))
  }
  const management = createManagement({
    ...{ metrics: { runtime: false }, report, expose: ['mappings'] },
    authorize: bearerToken('token'),
  })
  const settings = JSON.parse(process.env['TEST_SETTINGS'] ?? '{"logTraceIds":false}')
  const observed = observeApplication({ management, traps, settings, report })
  process.on('message', async () => {
    process.send?.({
      routes: await readRoutes(management),
      ...observed,
      counts: [...requestCounts(management.meters)],
      queries: timedCalls(management.meters, 'db.client.operation.duration'),
      calls: timedCalls(management.meters, 'http.client.requests'),
      spans: (globalThis as { spansOfSdk?: () => unknown }).spansOfSdk?.() ?? ended,
      reports,
    })
  })
  process.channel?.unref()
}
subscribe(wakes, wake)

/** Returns the routes that the endpoint `mappings` shows. */
async function readRoutes(management: Management): Promise<readonly string[]> {
  const response = await management({
    ...{ method: 'GET', target: '/management/mappings', base: '' },
    headers: { authorization: 'Bearer token' },
    body: () => ({ kind: 'parsed', value: undefined }),
  })
  return [...String(response?.body).matchAll(/"predicate":"([^"]*)"/g)].map(([, predicate = '']) => predicate)
}

/** Returns the tags of the calls that were timed, each as its values. */
function timedCalls(meters: SnapshotSource, name: string): readonly string[] {
  return [...meters.snapshot(name)].map(({ id }) => id.tags.map(({ value }) => value).join(' '))
}
