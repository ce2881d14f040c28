import type { Debugger, HeapProfiler, Profiler, Runtime } from 'node:inspector'

interface Command<Params, Result> {
  readonly params: Params
  readonly result: Result
}

/** The commands of the inspector protocol that are used, with their parameters and results. */
interface InspectorCommands {
  'Debugger.enable': Command<undefined, Debugger.EnableReturnType>
  'Debugger.disable': Command<undefined, unknown>
  'Debugger.pause': Command<undefined, unknown>
  'Debugger.resume': Command<undefined, unknown>
  'HeapProfiler.enable': Command<undefined, unknown>
  'HeapProfiler.disable': Command<undefined, unknown>
  'HeapProfiler.getSamplingProfile': Command<undefined, { readonly profile: SamplingHeapProfile }>
  'HeapProfiler.startSampling': Command<HeapProfiler.StartSamplingParameterType & CollectedObjects, unknown>
  'HeapProfiler.stopSampling': Command<undefined, { readonly profile: SamplingHeapProfile }>
  'Profiler.enable': Command<undefined, unknown>
  'Profiler.disable': Command<undefined, unknown>
  'Profiler.setSamplingInterval': Command<Profiler.SetSamplingIntervalParameterType, unknown>
  'Profiler.start': Command<undefined, unknown>
  'Profiler.stop': Command<undefined, Profiler.StopReturnType>
  'Profiler.startPreciseCoverage': Command<Profiler.StartPreciseCoverageParameterType, unknown>
  'Profiler.stopPreciseCoverage': Command<undefined, unknown>
}

/** Whether a sampling heap profile contains objects that have been collected since. */
interface CollectedObjects {
  readonly includeObjectsCollectedByMajorGC?: boolean
  readonly includeObjectsCollectedByMinorGC?: boolean
}

export type CommandName = keyof InspectorCommands
export type ResultOf<Name extends CommandName> = InspectorCommands[Name]['result']

/** The parameters of a command, as the rest of an argument list. */
export type ParamsOf<Name extends CommandName> = InspectorCommands[Name]['params'] extends undefined
  ? readonly []
  : readonly [params: InspectorCommands[Name]['params']]

/** A thread that is inspected: the main thread, or a worker thread. */
export interface InspectorTarget {
  /** `main`, or the id of a worker thread, such as `3`. */
  readonly id: string
  /** `main`, or `worker 3` with the name of the worker, if it has one. */
  readonly thread: string
  /**
   * Sends a command. Rejects with a `TimeoutError` if the thread does not respond in time, because it is inside native
   * code, such as `JSON.parse` of a large text or a synchronous system call.
   */
  post<Name extends CommandName>(name: Name, ...params: ParamsOf<Name>): Promise<ResultOf<Name>>
  /** Subscribes to an event of the protocol, such as `Debugger.paused`. */
  on(event: string, listener: (params: unknown) => void): void
  /**
   * Ends the inspection. What it has paused continues, and what it has enabled is disabled. Commands without a response
   * reject. Has no effect if it has ended.
   */
  detach(): void
}

/**
 * A sampling heap profile, as every supported version of Node returns it; the types of `node:inspector` lack its
 * samples and the ids of its nodes.
 */
export interface SamplingHeapProfile {
  readonly head: SamplingHeapProfileNode
  /** One for each sampled allocation. */
  readonly samples: readonly { readonly nodeId: number; readonly size: number; readonly ordinal: number }[]
}

/** A function as called by others. */
export interface SamplingHeapProfileNode {
  readonly callFrame: Runtime.CallFrame
  readonly id: number
  /** What the function itself allocated, in bytes, extrapolated from the samples. */
  readonly selfSize: number
  readonly children: readonly SamplingHeapProfileNode[]
}
