import { type Cut, startFake } from './fake-server.ts'
import type { TestServer } from './server-process.ts'

const api = { metadata: 3, versions: 18 }

/** Starts what a Kafka client takes for a cluster of one broker: it says what it can do and describes itself. */
export function startFakeKafka(): Promise<TestServer> {
  return startFake({ url: (port) => `127.0.0.1:${port}`, cut, answer })
}

/** A message comes after its length. */
const cut: Cut = (bytes) => {
  const end = bytes.length < 4 ? Number.POSITIVE_INFINITY : 4 + bytes.readInt32BE(0)
  return bytes.length < end ? undefined : { message: bytes.subarray(4, end), rest: bytes.subarray(end) }
}

function answer(message: Buffer, port: number): Buffer {
  const body = message.readInt16BE(0) === api.versions ? describeApi() : describeCluster(port)
  const correlation = message.subarray(4, 8)
  return Buffer.concat([int32(4 + body.length), correlation, body])
}

/** Version 2: no error, two interfaces with their oldest and newest version, no throttling. */
function describeApi(): Buffer {
  const interfaces = [api.metadata, 2, 2, api.versions, 2, 2].map(int16)
  return Buffer.concat([int16(0), int32(2), ...interfaces, int32(0)])
}

/** Version 2: one broker without a rack, the cluster's id, the controller, no topics. */
function describeCluster(port: number): Buffer {
  const broker = [int32(1), string('127.0.0.1'), int32(port), int16(-1)]
  return Buffer.concat([int32(1), ...broker, string('a-cluster'), int32(1), int32(0)])
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
