// Runs in the program that `upkeep doctor` starts, before it: listens to what upkeep announces there, and sends facts
// over a pipe when the command asks for them. It changes nothing that the program does.
import type { Socket } from 'node:net'
import { containerLimit } from '../../../base/container-memory.ts'
import { observeListening } from '../../../lifecycle/startup-channels.ts'
import { describeManagement } from './describe-management.ts'
import { findOrder } from './find-order.ts'
import type { AnnouncedManagement, ProgramFacts } from './program-facts.ts'

const { isMainThread } = process.getBuiltinModule('node:worker_threads')
// Threads and worker processes of the program are started with the same preload.
if (isMainThread && process.env['UPKEEP_DOCTOR'] === String(process.ppid)) start()

function start(): void {
  delete process.env['UPKEEP_DOCTOR']
  const { subscribe } = process.getBuiltinModule('node:diagnostics_channel')
  const { Socket } = process.getBuiltinModule('node:net')
  const socket: Socket = new Socket({ fd: 3, readable: true, writable: true })
  socket.on('error', () => {}).unref()
  // The command has been ended from outside.
  socket.on('end', () => process.exit(1))

  const managements: AnnouncedManagement[] = []
  const applications = new Map<object, string>()
  const shutdowns: number[] = []
  const servers: { readonly address: string; readonly port: number }[] = []

  subscribe('upkeep:management', (message) => {
    const announced = message as AnnouncedManagement
    managements.push(announced)
    const { mappings } = announced.management
    const register = mappings.register.bind(mappings)
    mappings.register = (app, framework, read) => {
      applications.set(app, framework)
      register(app, framework, read)
    }
  })
  subscribe('upkeep:shutdown', (message) => {
    shutdowns.push((message as { readonly milliseconds: number }).milliseconds)
  })
  observeListening(({ address, port }) => {
    if (address === undefined) return
    servers.push({ address, port: Number(port) })
    socket.write('listening\n')
  })
  socket.on('data', () => {
    const facts: ProgramFacts = {
      managements: managements.map(describeManagement),
      servers,
      shutdowns,
      order: findOrder(applications),
      observedRequests: managements.reduce((sum, each) => sum + observedBy(each), 0),
      heapLimit: process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit,
      containerMemory: containerLimit(),
    }
    socket.write(`${JSON.stringify(facts)}\n`)
  })
}

function observedBy({ management }: AnnouncedManagement): number {
  let sum = 0
  for (const meter of management.measurements.snapshot()) {
    const isCounted = /^http\.server\.(?:requests|request\.duration)$/.test(meter.id.name)
    if (isCounted && 'count' in meter) sum += Number(meter.count)
  }
  return sum
}
