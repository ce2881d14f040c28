// A service whose event loop is never idle, and whose memory grows until it is near the limit of its control group.
import { createServer } from 'node:http'
import { createManagement } from 'upkeep'
import { containerMemory } from 'upkeep/health'
import { manage } from 'upkeep/node'

const conventions = process.env.CONVENTIONS
const management = createManagement({
  application: { name: `busy-${conventions}` },
  conventions,
  expose: ['health', 'prometheus'],
})
const kept = []
const readMemory = containerMemory()
setInterval(async () => {
  const { details } = await readMemory(AbortSignal.timeout(1_000))
  if (details.usage < 0.94) kept.push(Buffer.alloc(2 * 2 ** 20, 1))
}, 700)

// It blocks without taking the processor from others.
const cell = new Int32Array(new SharedArrayBuffer(4))
const block = () => {
  Atomics.wait(cell, 0, 0, 20)
  setImmediate(block)
}
block()

const server = createServer(manage(management))
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`))
process.stdin.resume().on('end', () => process.exit(0))
