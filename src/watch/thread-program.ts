// The program of the thread of the watchdog and of diagnostics. It is bundled into a string at build
// (`?worker-source`), so that it works from ES modules, from CommonJS, and from a service that is bundled into one file.
import { workerData } from 'node:worker_threads'
import { createOperations, serveOperations } from './diagnostics/serve-operations.ts'
import { createSnapshotWriter } from './heap/write-snapshot.ts'
import { createProfiler } from './profile/profiler.ts'
import type { ThreadTask } from './thread-task.ts'
import { createThreadDumper } from './threads/dump-threads.ts'
import { watch } from './watchdog-thread.ts'

const { operations, watchdog }: ThreadTask = workerData

const run = createOperations({
  ...{ profile: createProfiler(), heapdump: createSnapshotWriter(), threaddump: createThreadDumper() },
})
serveOperations(operations, run)
if (watchdog !== undefined) watch(watchdog, run)
