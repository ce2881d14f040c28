import type { ThreadDump } from './thread-dump.ts'
import type { StackFrame, ThreadActivity, ThreadStack } from './thread-dump-operation.ts'

/** The states of Java's threads that those of Node can be in: inside native code a thread is runnable, as in Java. */
export const threadStates: Readonly<Record<ThreadActivity, 'RUNNABLE' | 'WAITING'>> = {
  running: 'RUNNABLE',
  native: 'RUNNABLE',
  idle: 'WAITING',
}

/** What Java reports of a thread and Node does not know, with Java's own values for "none" and "not measured". */
const unknown = {
  ...{ blockedCount: -1, blockedTime: -1, waitedCount: -1, waitedTime: -1, lockOwnerId: -1 },
  ...{ lockedMonitors: [], lockedSynchronizers: [] },
}

/** Returns a thread dump in the form of Spring Boot Actuator, with the active resources in addition if they are known. */
export function threadDumpJson({ threads, activeResources }: ThreadDump): object {
  return { threads: threads.map(threadJson), activeResources }
}

function threadJson({ id, name, activity, frames }: ThreadStack): object {
  return {
    ...{ threadId: id, threadName: name, threadState: threadStates[activity], inNative: activity === 'native' },
    ...unknown,
    suspended: false,
    stackTrace: frames.map(frameJson),
  }
}

/** The class of a function is the script that declares it. */
function frameJson({ functionName, url, line, column }: StackFrame): object {
  return {
    ...{ className: url, methodName: functionName === '' ? '<anonymous>' : functionName },
    ...{ fileName: url.slice(url.lastIndexOf('/') + 1), lineNumber: line, columnNumber: column },
    nativeMethod: false,
  }
}
