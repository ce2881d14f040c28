// Runs in the program that `upkeep doctor` starts, before it: listens to what upkeep announces there, and sends facts
// over a pipe when the command asks for them. It changes nothing that the program does.
import type { Server, Socket } from 'node:net'
import { containerLimit } from '../../../base/container-memory.ts'
import type { Indicator, Indicators } from '../../../health/indicator.ts'
import { isOwnServer } from '../../../lifecycle/own-server.ts'
import type { EndpointAccess } from '../../../management/access.ts'
import { findOrder } from './find-order.ts'
import type {
  AnnouncedManagement,
  ComponentFacts,
  ComponentTree,
  ManagementFacts,
  ProgramFacts,
  ServerFacts,
} from './program-facts.ts'

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
  const servers = new Set<Server>()

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
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    servers.add((message as { readonly server: Server }).server)
  })

  const describe = (): ProgramFacts => ({
    managements: managements.map(describeManagement),
    servers: [...servers].flatMap(describeServer),
    shutdowns,
    order: findOrder(applications),
    observedRequests: managements.reduce((sum, each) => sum + observedBy(each), 0),
    heapLimit: process.getBuiltinModule('node:v8').getHeapStatistics().heap_size_limit,
    isHeapSet: heapOption.test([...process.execArgv, process.env['NODE_OPTIONS']].join(' ')),
    containerMemory: containerLimit(),
  })
  socket.on('data', (question) => {
    // An exception here would be one of the program.
    try {
      const reply = question.toString() === 'facts\n' ? describe() : [...servers].flatMap(describeServer)
      socket.write(`${JSON.stringify(reply)}\n`)
    } catch (error) {
      socket.write(`${JSON.stringify({ failure: String(error) })}\n`)
    }
  })
}

const heapOption = /--max[-_]old[-_]space[-_]size[= ]/

/** Returns nothing for a server that has been closed, and for one in the file system. */
function describeServer(server: Server): readonly ServerFacts[] {
  const address = server.listening ? server.address() : null
  if (typeof address !== 'object' || address === null) return []
  return [
    {
      address: address.address,
      port: address.port,
      isHttp: server.listenerCount('request') > 0,
      isSecure: 'setSecureContext' in server,
      isOwn: isOwnServer(server),
    },
  ]
}

function observedBy({ management }: AnnouncedManagement): number {
  let sum = 0
  for (const meter of management.measurements.snapshot()) {
    const isCounted = /^http\.server\.(?:requests|request\.duration)$/.test(meter.id.name)
    if (isCounted && 'count' in meter) sum += Number(meter.count)
  }
  return sum
}

/** The endpoints that are readable without `authorize`, and show more than a status; all others require it. */
const openEndpoints = ['info', 'metrics', 'prometheus', 'loggers']

/** Describes a management without its functions. */
function describeManagement({ options, groups }: AnnouncedManagement): ManagementFacts {
  const { basePath = '/management', paths = {}, expose = ['health'], access = {}, health = {} } = options
  // A rule of its own is a decision; that for all endpoints (`*`) as well.
  const isOpen = (id: string): boolean =>
    [id, '*'].every(
      (name) => !Object.hasOwn(access, name) || readSide(access[name as keyof typeof access]) === undefined,
    )
  const componentsOf = (group: string) => describeComponents(groups.get(group)?.components, health.indicators ?? {})
  return {
    basePath: basePath === '/' ? '' : basePath,
    paths,
    open: expose.filter((id) => openEndpoints.includes(id) && isOpen(id)),
    liveness: componentsOf('liveness'),
    readiness: componentsOf('readiness'),
  }
}

function readSide(access: EndpointAccess | undefined) {
  return typeof access === 'object' && !('roles' in access) ? access.read : access
}

/** Lists the leaves of a group without the availability of the application and the cluster. */
function describeComponents(
  components: ReadonlyMap<string, ComponentTree> = new Map(),
  indicators: Indicators,
  above = '',
): readonly ComponentFacts[] {
  return [...components].flatMap(([name, component]): readonly ComponentFacts[] => {
    const indicator = Object.hasOwn(indicators, name) ? indicators[name] : undefined
    if (above === '' && indicator === undefined) return []
    const path = above + name
    if (component.components === undefined) return [{ path, isRemote: isRemote(indicator) }]
    const inner = indicator !== undefined && 'indicators' in indicator ? indicator.indicators : {}
    return describeComponents(component.components, inner, `${path}/`)
  })
}

function isRemote(indicator: Indicator | undefined): boolean {
  if (typeof indicator === 'function') return indicator.isRemote === true
  return indicator !== undefined && 'check' in indicator && indicator.check.isRemote === true
}
