/**
 * What a convention calls the series and labels of Prometheus that rules and dashboards read.
 *
 * @typedef {object} Names
 * @property {string} requests The durations of requests to the service, in seconds, without `_count`, `_sum` and so on.
 * @property {string} failed The label matcher of those that failed.
 * @property {string} route The label with the template of their path.
 * @property {string} status The label with the status of their response.
 * @property {string} active The requests in progress.
 * @property {string} outgoing The durations of requests of the service to others.
 * @property {string} outgoingFailed The label matcher of those that failed.
 * @property {string} host The label with the host that they are sent to.
 * @property {string} operation The label with the kind of an operation of a database.
 * @property {string} collection The label with its table.
 * @property {string} destination The label with the queue, topic or exchange of a message.
 * @property {string} loopDelay The longest delay of the event loop in the last one to two minutes, in seconds.
 * @property {string} loopDelay99 Its 99th percentile.
 * @property {string} loopUtilization The share of the time that the event loop is busy.
 * @property {string} cpu The processors that the process uses, as a share of all.
 * @property {string} memory The resident memory of the process, in bytes.
 * @property {string} heap The used memory of each space of the heap, in bytes.
 * @property {string} space The label with the name of a space.
 * @property {string} collections The durations of garbage collections.
 * @property {string} collectionKind The label with their kind.
 * @property {string} threads The threads of the process.
 * @property {string} files The open files of the process.
 * @property {string} pool The label with the name of a pool.
 * @property {string} poolUsed The connections in use.
 * @property {string} poolLimit The most connections that a pool opens.
 * @property {string} pending The requests that wait for a connection of a pool.
 * @property {string} poolWait The durations of these waits.
 */

/** The option `conventions` of `createManagement`. @type {Readonly<Record<string, Names>>} */
export const conventions = {
  micrometer: {
    requests: 'http_server_requests_seconds',
    failed: 'outcome="SERVER_ERROR"',
    route: 'uri',
    status: 'status',
    // With buckets of requests, those in progress have them too.
    active: '{__name__=~"http_server_requests_active_seconds_g?count"}',
    outgoing: 'http_client_requests_seconds',
    outgoingFailed: 'outcome!="SUCCESS"',
    host: 'client_name',
    operation: 'operation',
    collection: 'collection',
    destination: 'destination',
    loopDelay: 'nodejs_eventloop_delay_seconds_max',
    loopDelay99: 'nodejs_eventloop_delay_seconds{quantile="0.99"}',
    loopUtilization: 'nodejs_eventloop_utilization',
    cpu: 'process_cpu_usage',
    memory: 'process_memory_rss_bytes',
    heap: 'jvm_memory_used_bytes{area="heap"}',
    space: 'id',
    collections: 'jvm_gc_pause_seconds',
    collectionKind: 'action',
    threads: 'jvm_threads_live_threads',
    files: 'process_files_open_files',
    pool: 'pool',
    poolUsed: 'hikaricp_connections_active',
    poolLimit: 'hikaricp_connections_max',
    pending: 'hikaricp_connections_pending',
    poolWait: 'hikaricp_connections_acquire_seconds',
  },
  opentelemetry: {
    requests: 'http_server_request_duration_seconds',
    failed: 'http_response_status_code=~"5.."',
    route: 'http_route',
    status: 'http_response_status_code',
    active: 'http_server_active_requests',
    outgoing: 'http_client_request_duration_seconds',
    outgoingFailed: 'error_type!=""',
    host: 'server_address',
    operation: 'db_operation_name',
    collection: 'db_collection_name',
    destination: 'messaging_destination_name',
    loopDelay: 'nodejs_eventloop_delay_max_seconds',
    loopDelay99: 'nodejs_eventloop_delay_p99_seconds',
    loopUtilization: 'nodejs_eventloop_utilization_ratio',
    cpu: 'process_cpu_utilization_ratio',
    memory: 'process_memory_usage_bytes',
    heap: 'v8js_memory_heap_used_bytes',
    space: 'v8js_heap_space_name',
    collections: 'v8js_gc_duration_seconds',
    collectionKind: 'v8js_gc_type',
    threads: 'process_thread_count',
    files: 'process_unix_file_descriptor_count',
    pool: 'db_client_connection_pool_name',
    poolUsed: 'db_client_connection_count{db_client_connection_state="used"}',
    poolLimit: 'db_client_connection_limit',
    pending: 'db_client_connection_pending_requests',
    poolWait: 'db_client_connection_wait_time_seconds',
  },
}
