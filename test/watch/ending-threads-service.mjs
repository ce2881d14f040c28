// Starts worker threads that end after a time between the third and the fourth argument, round after round, while it
// reads its own endpoint, the first argument. Prints the number of rounds after which all threads had ended.
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createManagement } from 'upkeep'
import { listen } from 'upkeep/node'

const [target, rounds, shortest, longest] = process.argv.slice(2)
const management = createManagement({ expose: ['threaddump', 'profile'], authorize: () => ({ name: 'test' }) })
const { address } = await listen(management, { port: 0 })

/** Each ends by itself: with nothing left to do, by process.exit(), by an error, or after a call that blocks it. */
const programs = [
  (milliseconds) => `setTimeout(() => {}, ${milliseconds})`,
  (milliseconds) => `setTimeout(() => process.exit(), ${milliseconds})`,
  (milliseconds) => `setTimeout(() => { throw new Error('ended') }, ${milliseconds})`,
  (milliseconds) => `require('node:child_process').execSync('sleep ${milliseconds / 1000}')`,
]
const [idle] = programs

for (let round = 0; round < Number(rounds); round++) {
  // Most rounds have threads of the first kind alone, whose end Node is most likely to fail at.
  const mixed = round % 5 === 4
  const ended = programs.map((program) => {
    const source = (mixed ? program : idle)(Math.round(Number(shortest) + (longest - shortest) * Math.random()))
    const worker = new Worker(source, { eval: true }).on('error', () => {})
    return new Promise((resolve) => worker.once('exit', resolve))
  })
  // Some threads are starting when it begins, others run.
  await setTimeout(60 * Math.random())
  const response = await fetch(`http://127.0.0.1:${address.port}${target}`)
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
  await response.arrayBuffer()
  const late = setTimeout(60_000, 'late', { ref: false })
  if ((await Promise.race([Promise.all(ended), late])) === 'late') {
    console.error(`round ${round}: a thread did not end within a minute`)
    process.kill(process.pid, 'SIGKILL')
  }
}
console.log(`rounds ${rounds}`)
process.exit()
