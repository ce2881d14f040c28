// What of a core a process takes that has nothing but a timer: the limit of everything that looks at something again
// and again, as a member of a cluster and the console do. Usage: node bench/timers.mjs [seconds of each, 20 by default]
import { spawnSync } from 'node:child_process'

const seconds = Number(process.argv[2] ?? 20)
if (!(seconds >= 5 && seconds <= 120)) throw new RangeError(`seconds: expected 5 to 120, received ${process.argv[2]}`)

const program = (interval) => `
setInterval(() => {}, ${interval})
setTimeout(() => {
  const before = process.cpuUsage()
  setTimeout(() => {
    const { user, system } = process.cpuUsage(before)
    console.log((user + system) / ${seconds * 1e6})
    process.exit()
  }, ${seconds * 1_000})
}, 1_000)`

console.log(`Node ${process.version}, ${seconds} s each`)
for (const interval of [1_000, 250, 200, 100, 20]) {
  const { stdout } = spawnSync(process.execPath, ['-e', program(interval)], { encoding: 'utf8' })
  console.log(`a timer of ${interval} ms: ${(Number(stdout) * 100).toFixed(2)} % of a core`)
}
