/** By the entry point that has them now, the names that `upkeep` itself exported in version 0.1. */
const moved: Readonly<Record<string, string>> = {
  adapter: `
    ErrorDocument ManagementRequest ManagementResponse MessageBody MessageHeaders RequestHandler
    ResponseBody StreamedContent reportToConsole systemClock traceIdOf`,
  health: `
    AmqpChannel AmqpConnection AmqpOptions CheckedIndicator CompositeIndicator DiskSpaceOptions
    DnsOptions EventLoopOptions EventLoopReading HttpOptions KafkaAdmin KafkaOptions MemoryOptions
    MongodbClient MongodbDatabase MongodbOptions MysqlCallbackClient MysqlConnection MysqlOptions
    MysqlPool MysqlPoolConnection NatsConnection NatsOptions PostgresConnection PostgresOptions
    PostgresPool PostgresPoolConnection PostgresSql RedisClient RedisOptions StateIndicator TcpOptions
    Tolerance amqp composite diskSpace dns eventLoop http kafka memory mongodb mysql nats ping postgres
    redis tcp`,
  ids: `
    GregorianUuid OpaqueUuid OrderedUuidOptions RandomSource RequestIdOptions TraceIds TraceIdsOptions
    TracestateMember UnixUuid Uuid UuidForms UuidV4Options UuidVariant bytesToUuid compareUuids
    createTraceIds createUuidV1 createUuidV4 createUuidV6 createUuidV7 formatTraceparent
    formatTracestate isUuid maxUuid nilUuid parseTraceparent parseTracestate parseUuid randomFlag
    requestId sampledFlag uuidNamespaces uuidToBytes uuidV1 uuidV1FromV6 uuidV3 uuidV4 uuidV5 uuidV6
    uuidV6FromV1 uuidV7 uuidV8`,
  instrumentation: `
    ClientRequest Decorators EndedRequest MeteredMethodOptions MethodDecorator SpanWorkOptions
    TracedMethodOptions`,
  logging: `
    CreateLoggerOptions Log LogLevel LogRecord Logger LoggingApplication createLogger formatPlainText`,
  metrics: `
    Diagnose ExemplarSource FunctionCounter FunctionTimer GaugeRow MeterDescription MeterDiagnostic
    MeterId MeterRegistryOptions MeterSelection MeterSnapshot MultiGauge SnapshotSource Tag TimedTotal
    UnboundSample accept commonTags createMeterRegistry deny denyUnless histogram ignoreTags
    maximumAllowableTags renameTag replaceTagValues`,
  prometheus: `
    ClientRegistry PrometheusRegistryOptions PushGroup PushOptions deletePushedMetrics
    prometheusRegistry pushMetrics`,
  rest: `
    JsonTextOptions Offer RequestTypeOptions ServeRoutesOptions WholeBody decodeUtf8 offerJson parseJson
    readBody requestTypeOf serveRoutes`,
}

/** The entry points by the name that they export. */
export const movedNames: ReadonlyMap<string, string> = new Map(
  Object.entries(moved).flatMap(([entry, names]) =>
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, `upkeep/${entry}`] as const),
  ),
)
