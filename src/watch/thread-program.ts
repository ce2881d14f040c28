// The program of the thread of the watchdog and of diagnostics. It is bundled into a string at build
// (`?worker-source`), so that it works from ES modules, from CommonJS, and from a service that is bundled into one file.
import { parentPort, workerData } from 'node:worker_threads'
import { createOperations, serveOperations } from './diagnostics/operation-port.ts'
import { createSnapshotWriter } from './heap/write-snapshot.ts'
import { createProfileRecorder, createProfiler } from './profile/profiler.ts'
import { captureHandlers } from './recorder/capture-handlers.ts'
import { createFlightRecorder } from './recorder/flight-recorder.ts'
import type { ThreadTask, WatchdogMessage } from './thread-protocol.ts'
import { createThreadDumper } from './threads/dump-threads.ts'
import { watch } from './watchdog-thread.ts'

const { operations, watchdog, missingInspector }: ThreadTask = workerData

const post = (message: WatchdogMessage): void => parentPort?.postMessage(message)
const profiles = createProfileRecorder()
const recorder =
  watchdog?.recorder &&
  createFlightRecorder(watchdog.recorder, {
    profiles,
    announce: (capture) => post({ kind: 'captured', capture }),
    report: (message) => post({ kind: 'reported', message }),
  })
if (recorder !== undefined && missingInspector !== undefined) {
  post({ kind: 'reported', message: `recorder: captures contain no profiles: ${missingInspector}` })
}
const run = createOperations({
  ...{ profile: createProfiler(profiles), heapdump: createSnapshotWriter(), threaddump: createThreadDumper() },
  ...captureHandlers(recorder),
})
serveOperations(operations, run)
if (watchdog !== undefined) watch(watchdog, run, recorder)
