import { type Cut, startFake } from './fake-server.ts'
import type { TestServer } from './server-process.ts'

const api = { produce: 0, metadata: 3, versions: 18 }

export interface FakeKafka extends TestServer {
  /** The received produce requests. */
  readonly produced: readonly Buffer[]
}

/**
 * Starts a minimal Kafka broker: it reports its API versions and metadata, and accepts
 * messages for the topic `orders`.
 */
export async function startFakeKafka(): Promise<FakeKafka> {
  const produced: Buffer[] = []
  const recordAndRespond = (message: Buffer, port: number) => {
    if (message.readInt16BE(0) === api.produce) produced.push(Buffer.from(message))
    return respond(message, port)
  }
  const server = await startFake({ url: (port) => `127.0.0.1:${port}`, cut, respond: recordAndRespond })
  return { ...server, produced }
}

/** A message is preceded by its length. */
const cut: Cut = (bytes) => {
  const end = bytes.length < 4 ? Number.POSITIVE_INFINITY : 4 + bytes.readInt32BE(0)
  return bytes.length < end ? undefined : { message: bytes.subarray(4, end), rest: bytes.subarray(end) }
}

function respond(message: Buffer, port: number): Buffer {
  const body = bodyFor(message.readInt16BE(0), port)
  const correlation = message.subarray(4, 8)
  return Buffer.concat([int32(4 + body.length), correlation, body])
}

function bodyFor(request: number, port: number): Buffer {
  if (request === api.versions) return describeApi()
  return request === api.produce ? takeMessages() : describeCluster(port)
}

/** Version 2: no error, the interfaces with their oldest and newest version, no throttling. */
function describeApi(): Buffer {
  const interfaces = [api.produce, 3, 3, api.metadata, 2, 2, api.versions, 2, 2].map(int16)
  return Buffer.concat([int16(0), int32(3), ...interfaces, int32(0)])
}

/** Version 2: one broker without a rack, the cluster's id, the controller, one topic with one partition. */
function describeCluster(port: number): Buffer {
  const broker = [int32(1), string('127.0.0.1'), int32(port), int16(-1)]
  const nodes = [int32(1), int32(1)]
  const partition = [int16(0), int32(0), int32(1), ...nodes, ...nodes]
  const topic = [int16(0), string('orders'), Buffer.from([0]), int32(1), ...partition]
  return Buffer.concat([int32(1), ...broker, string('a-cluster'), int32(1), int32(1), ...topic])
}

/** Version 3: of one topic one partition, without an error, at the offset 7 and no time of its own; no throttling. */
function takeMessages(): Buffer {
  const partition = [int32(0), int16(0), int64(7n), int64(-1n)]
  return Buffer.concat([int32(1), string('orders'), int32(1), ...partition, int32(0)])
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function string(value: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)])
}
