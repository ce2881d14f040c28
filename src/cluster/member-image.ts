import type { Exemplar } from '../metrics/snapshot.ts'
import type { SeriesDefinition } from './series-definition.ts'

/** The series of a member and their values at one moment. */
export interface MemberImage {
  /** In the order in which they were defined; `undefined` where a series was removed. Only grows, until `generation` changes. */
  readonly definitions: readonly (SeriesDefinition | undefined)[]
  /** The place of the first cell of each definition. */
  readonly places: readonly number[]
  /** The values of all series. */
  readonly cells: Float64Array
  /** The latest exemplars, bounded in number. */
  readonly exemplars: readonly MemberExemplar[]
  /** Changes when the definitions begin anew: what was derived from them is no longer valid. */
  readonly generation: string
}

/** The exemplar of a series, or of one bucket of it. */
export interface MemberExemplar {
  /** The index of the series' definition. */
  readonly series: number
  /** The index of the bucket; 0 for a series without buckets. */
  readonly bucket: number
  readonly exemplar: Exemplar
}

/** Who a member is. Written once, when it joins. */
export interface MemberIdentity {
  /** The number of the member in its group, which is used again after it has ended: the value of the tag `member`. */
  readonly slot: number
  /** Unique for each join. */
  readonly incarnation: string
  readonly pid: number
  /** When the process started, as its system counts: differs where a pid is used again. */
  readonly processStart: string
  /** The thread's number and start, as its system counts; `undefined` where the system does not show threads. */
  readonly systemThread: string | undefined
  /** The pid of the parent process. */
  readonly parent: number
  /** The thread; 0 for the main thread. */
  readonly threadId: number
  /** Seconds since 1970-01-01T00:00:00Z. */
  readonly joinedAt: number
  /** The option `application` of the management, or what stands for it. */
  readonly application: string
  readonly version: string | undefined
}

/** What a member writes about itself with its values. */
export interface MemberState {
  /** `ACCEPTING_TRAFFIC`, or `REFUSING_TRAFFIC`. */
  readonly readiness: 'ACCEPTING_TRAFFIC' | 'REFUSING_TRAFFIC'
  readonly liveness: 'CORRECT' | 'BROKEN'
  /** Whether the member has ended by itself, and will write nothing any more. */
  readonly isFinal: boolean
}

/** A member as a reader sees it. */
export interface MemberRecord {
  readonly identity: MemberIdentity
  readonly state: MemberState
  /** Whether its process and thread exist, and it has not left. */
  readonly isAlive: boolean
  /** Whether its process exists. The process of a thread that has ended may go on. */
  readonly isProcessAlive: boolean
  /** Seconds since its latest heartbeat. */
  readonly age: number
  readonly image: MemberImage
}

/** The series of members that have ended, as one. */
export interface BaseContent {
  readonly definitions: readonly SeriesDefinition[]
  /** The values of all series, in the order of the definitions. */
  readonly cells: Float64Array
  /** At most 1,024; more are left out. */
  readonly exemplars: readonly MemberExemplar[]
}

/** Returns the values of ended members and of those that ended before them as one. Must not change its arguments. */
export type MergeDead = (base: MemberImage | undefined, dead: readonly MemberRecord[]) => BaseContent

/** A member that writes is due once per second. */
const staleAfterSeconds = 2

/** Returns whether a member is alive, but has written nothing for two seconds: its event loop may be blocked. */
export function isStale({ isAlive, age }: Pick<MemberRecord, 'isAlive' | 'age'>): boolean {
  return isAlive && age > staleAfterSeconds
}
