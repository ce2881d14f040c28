// What the flight recorder costs when nothing happens: what it adds to a request, and the processor time of an idle
// process with its heartbeat. `npm run build`, then `node bench/recorder.mjs`.
//
// The base of both is the same process with observation and a watchdog, without the recorder.
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, missed, report } from './harness.mjs'
import { added, answer, nodeRoute } from './requests.mjs'

const { createManagement } = await load('upkeep')
const { observe, watchdog } = await load('upkeep/node')
const rounds = Number(process.env.ROUNDS ?? 7)
const idleMilliseconds = Number(process.env.IDLE ?? 2_000)

/** Creates an observed application, and starts its watchdog for as long as something runs. */
function create(options) {
  const management = createManagement({ metrics: { runtime: false }, ...options })
  const observed = observe(management, { route: nodeRoute })
  return {
    handle: (req, res) => observed(req, res, () => answer(req, res)),
    start: () => watchdog(management, { port: 0 }),
  }
}
const [base, control, recorder] = [create({}), create({}), create({ recorder: {} })]

const dog = await recorder.start()
const result = await added({ base: base.handle, control: control.handle, recorder: recorder.handle })
await dog.close()
// A request over a network takes at least 50 us: a tenth of a percent of it are 50 ns.
report('flight recorder: nanoseconds added to a request', 1_000 * result.recorder, {
  atMost: 50,
  detail: `control ${(1_000 * result.control).toFixed(0)}, the request alone ${(1_000 * result.base).toFixed(0)}`,
})

/** Returns the processor time of an idle process with a watchdog, as a share of one core in percent. */
async function idle({ start }) {
  const started = await start()
  await sleep(300)
  const before = process.cpuUsage()
  const began = performance.now()
  await sleep(idleMilliseconds)
  const { user, system } = process.cpuUsage(before)
  const passed = performance.now() - began
  await started.close()
  return (user + system) / passed / 10
}
const differences = []
for (let round = 0; round < rounds; round++) {
  const [first, second] = round % 2 === 0 ? [base, recorder] : [recorder, base]
  const [one, other] = [await idle(first), await idle(second)]
  differences.push(round % 2 === 0 ? other - one : one - other)
}
report('flight recorder: heartbeat and memory, % of a core', median(differences), { atMost: 0.1 })
process.exit(missed().length > 0 ? 1 : 0)
