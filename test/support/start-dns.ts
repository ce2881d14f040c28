import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

export interface DnsServer {
  /** `127.0.0.1:port`. */
  readonly address: string
  /** How many questions have come. */
  readonly questions: () => number
  /** Has it answer no more, though it listens; and again. */
  readonly freeze: () => void
  readonly thaw: () => void
  readonly dispose: () => Promise<void>
}

const responseFlags = 0x8180
const noSuchName = 0x8183

/** Serves DNS over UDP: `known.test` is 192.0.2.1, and there is no other name. */
export async function startDns(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  let isFrozen = false
  let questions = 0
  socket.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
    questions++
    if (!isFrozen) {
      socket.send(respond(question), port, address)
    }
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    freeze: () => {
      isFrozen = true
    },
    thaw: () => {
      isFrozen = false
    },
    dispose: async () => {
      const closed = once(socket, 'close')
      socket.close()
      await closed
    },
  }
}

/** The question with the flags and counts of an answer, and the answer behind it. */
function respond(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5
  const isKnown = question.subarray(12, end).includes('\x05known\x04test\x00', 0, 'latin1')
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(isKnown ? responseFlags : noSuchName, 2)
  head.writeUInt16BE(isKnown ? 1 : 0, 6)
  // No authority, and none of the additional records that a question may have.
  head.writeUInt32BE(0, 8)
  // The name of the question, type A, class IN, a minute to live, four bytes.
  const record = Buffer.from('c00c000100010000003c0004c0000201', 'hex')
  return isKnown ? Buffer.concat([head, record]) : head
}
