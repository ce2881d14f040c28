export type { ClusterCommand, ClusterHealthOptions, ReadinessRule } from '../cluster/cluster-host.ts'
export type { ClusterOptions, GroupOptions, MergeOptions } from '../cluster/cluster-options.ts'
export { type Cluster, type ClusterManagement, joinCluster } from '../cluster/join-cluster.ts'
export {
  type ClusterReader,
  type ListedGroup,
  listClusters,
  type ReadClusterOptions,
  readCluster,
} from '../cluster/read-cluster.ts'
