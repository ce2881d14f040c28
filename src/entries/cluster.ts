export type { Duration } from '../base/duration.ts'
export type { Report } from '../base/report.ts'
export type {
  ClusterCommand,
  ClusterHealthOptions,
  ClusterHost,
  ClusterView,
  MemberResponse,
  ReadinessRule,
} from '../cluster/cluster-host.ts'
export type { ClusterOptions, GroupOptions, MergeOptions } from '../cluster/cluster-options.ts'
export type { RefusedFile } from '../cluster/files/group-reader.ts'
export { joinCluster } from '../cluster/join-cluster.ts'
export type {
  MemberExemplar,
  MemberIdentity,
  MemberImage,
  MemberRecord,
  MemberState,
} from '../cluster/member-image.ts'
export type { Cluster, ClusterManagement } from '../cluster/membership.ts'
export {
  type ClusterReader,
  type ListedGroup,
  listClusters,
  type ReadClusterOptions,
  readCluster,
} from '../cluster/read-cluster.ts'
export type { GaugeRule, SeriesDefinition, SeriesKind } from '../cluster/series-definition.ts'
export type { ReloadResult, ReplacedWorker, WorkerEnd } from '../cluster/workers/primary-state.ts'
export { reloadOnSignal, reloadWorkers } from '../cluster/workers/reload-workers.ts'
export { type StopResult, stopWorkers } from '../cluster/workers/stop-workers.ts'
export type { ReloadOptions, StopOptions } from '../cluster/workers/worker-options.ts'
