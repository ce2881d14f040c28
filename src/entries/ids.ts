export type { RandomSource } from '../ids/random.ts'
export { type RequestIdOptions, requestId } from '../ids/request-id.ts'
export { type BaggageMember, formatBaggage, parseBaggage } from '../ids/trace-context/baggage.ts'
export { createTraceIds, type TraceIds, type TraceIdsOptions } from '../ids/trace-context/trace-ids.ts'
export {
  formatTraceparent,
  parseTraceparent,
  randomFlag,
  sampledFlag,
  type TraceContext,
} from '../ids/trace-context/traceparent.ts'
export { formatTracestate, parseTracestate, type TracestateMember } from '../ids/trace-context/tracestate.ts'
export { uuidV1FromV6, uuidV6FromV1 } from '../ids/uuid/convert-v1-v6.ts'
export type { OrderedUuidOptions } from '../ids/uuid/monotonic-time.ts'
export { uuidV3, uuidV5 } from '../ids/uuid/name-uuid.ts'
export {
  type GregorianUuid,
  type OpaqueUuid,
  parseUuid,
  type UnixUuid,
  type Uuid,
  type UuidBase,
  type UuidForms,
  type UuidVariant,
} from '../ids/uuid/parse-uuid.ts'
export { bytesToUuid, uuidToBytes } from '../ids/uuid/uuid-bytes.ts'
export { maxUuid, nilUuid, uuidNamespaces } from '../ids/uuid/uuid-constants.ts'
export { compareUuids, isUuid } from '../ids/uuid/uuid-text.ts'
export { createUuidV1, uuidV1 } from '../ids/uuid/uuid-v1.ts'
export { createUuidV4, type UuidV4Options, uuidV4 } from '../ids/uuid/uuid-v4.ts'
export { createUuidV6, uuidV6 } from '../ids/uuid/uuid-v6.ts'
export { createUuidV7, uuidV7 } from '../ids/uuid/uuid-v7.ts'
export { uuidV8 } from '../ids/uuid/uuid-v8.ts'
