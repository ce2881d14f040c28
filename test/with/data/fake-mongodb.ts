import { BSON } from 'mongodb'
import { type Cut, startFake } from '../../support/fake-server.ts'
import type { TestServer } from '../../support/server-process.ts'

const operation = { query: 2004, reply: 1, message: 2013 }
const header = 16

/** Starts what a MongoDB client takes for a server: it says hello, answers `ping` and says its version;
 * it finds nothing, and takes what is inserted. */
export function startFakeMongodb(): Promise<TestServer> {
  return startFake({ url: (port) => `mongodb://127.0.0.1:${port}/?directConnection=true`, cut, respond })
}

/** A message starts with its length. */
const cut: Cut = (bytes) => {
  const length = bytes.length < header ? Number.POSITIVE_INFINITY : bytes.readInt32LE(0)
  return bytes.length < length ? undefined : { message: bytes.subarray(0, length), rest: bytes.subarray(length) }
}

function respond(message: Buffer): Buffer {
  const document = BSON.serialize(execute(commandOf(message)))
  const isLegacy = message.readInt32LE(12) === operation.query
  // A reply of old: flags, cursor, start, number of documents. A message: flags, and one section of kind 0.
  const preamble = isLegacy ? Buffer.alloc(20) : Buffer.alloc(5)
  if (isLegacy) {
    preamble.writeInt32LE(1, 16)
  }
  const head = Buffer.alloc(header)
  head.writeInt32LE(header + preamble.length + document.length, 0)
  head.writeInt32LE(message.readInt32LE(4), 8)
  head.writeInt32LE(isLegacy ? operation.reply : operation.message, 12)
  return Buffer.concat([head, preamble, document])
}

function commandOf(message: Buffer): BSON.Document {
  if (message.readInt32LE(12) === operation.message) {
    return BSON.deserialize(message.subarray(header + 5))
  }
  // A query of old: flags, the collection's name up to a zero, how many to skip and to return, the command.
  return BSON.deserialize(message.subarray(message.indexOf(0, header + 4) + 9))
}

function execute(command: BSON.Document): BSON.Document {
  const [name] = Object.keys(command)
  switch (name) {
    case 'hello':
    case 'isMaster':
    case 'ismaster':
      return { ok: 1, helloOk: true, isWritablePrimary: true, ismaster: true, minWireVersion: 0, maxWireVersion: 21 }
    case 'buildInfo':
      return { ok: 1, version: '7.0.14' }
    case 'ping':
    case 'endSessions':
      return { ok: 1 }
    case 'find':
      return { ok: 1, cursor: { id: BSON.Long.fromNumber(0), ns: `test.${command['find']}`, firstBatch: [] } }
    case 'insert':
      return { ok: 1, n: 1 }
    default:
      return { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: `no such command: '${name}'` }
  }
}
