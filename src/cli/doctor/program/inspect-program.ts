import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { openEndpoints } from '../check-access.ts'
import { checkLiveness } from '../check-components.ts'
import { checkHeap } from '../check-heap.ts'
import { checkRequests, observeBeforeRoutes } from '../check-requests.ts'
import type { DoctorArguments } from '../doctor-arguments.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import { get } from '../service/request.ts'
import type { ProgramFacts } from './program-facts.ts'
import { type StartedProgram, startProgram } from './start-program.ts'

/** A request to the program on this machine. */
const requestMilliseconds = 5_000

/**
 * Starts a program, checks it once it listens, and ends it. `databaseClients` are those of its project, if it has one.
 *
 * @throws Error if it ends before.
 */
export async function inspectProgram(
  file: string,
  options: DoctorArguments,
  databaseClients: readonly string[] | undefined,
): Promise<readonly Outcome[]> {
  const program = await startProgram(file, options.timeoutMilliseconds)
  try {
    const { managements, ...rest } = await program.facts()
    const facts = { managements, ...rest }
    const withoutManagement = managements.length === 0
    return [
      checkAddress(facts, options),
      checkHeapOf(facts, options.memory),
      checkDrain(facts, options.graceMilliseconds),
      ...(withoutManagement ? missing : checkManagements(facts, options, databaseClients)),
      ...(withoutManagement ? [] : await checkObservation(program, facts, options.route)),
    ]
  } finally {
    await program.end()
  }
}

const missing = (['access', 'requests', 'order', 'readiness', 'liveness'] as const).map((check) =>
  unchecked(check, 'createManagement was not called in the process that was started'),
)

function checkManagements(
  { managements, servers }: ProgramFacts,
  { publicEndpoints }: DoctorArguments,
  databaseClients: readonly string[] | undefined,
): readonly Outcome[] {
  const open = [...new Set(managements.flatMap((each) => each.open))].filter((id) => !publicEndpoints.has(id))
  const isReachable = servers.some(({ address }) => !isLoopback(address))
  const access = isReachable && open.length > 0 ? openEndpoints(open) : ok('access')
  return [
    servers.length === 0 ? unchecked('access', 'the program has not listened') : access,
    checkReadiness(managements, databaseClients),
    ...checkLiveness(managements.flatMap(({ liveness }) => liveness)),
  ]
}

function checkReadiness(managements: ProgramFacts['managements'], clients: readonly string[] | undefined): Outcome {
  if (clients === undefined) return unchecked('readiness', 'there is no package.json')
  if (clients.length === 0 || managements.some(({ readiness }) => readiness.length > 0)) return ok('readiness')
  return finding(
    'readiness',
    `readiness has no indicator, and ${clients.join(', ')} ${clients.length === 1 ? 'is' : 'are'} installed`,
    "health: { indicators: { db: postgres(pool) }, groups: { readiness: { include: ['readinessState', 'db'] } } }",
  )
}

/** A server that listens on a loopback address is not reachable through the network of its container. */
function checkAddress({ servers }: ProgramFacts, { inContainer }: DoctorArguments): Outcome {
  if (!inContainer && !isContainer()) {
    return unchecked('address', 'this is not a container: pass --container if the program is for one')
  }
  if (servers.length === 0) return unchecked('address', 'the program has not listened')
  if (servers.some(({ address }) => !isLoopback(address))) return ok('address')
  const [{ address, port } = { address: '127.0.0.1', port: 3000 }] = servers
  return finding(
    'address',
    `it listens on ${authorityOf(address, port)} only, which probes and other containers cannot reach`,
    `server.listen(${port}, '0.0.0.0')`,
  )
}

function isContainer(): boolean {
  const { env } = process
  return env['KUBERNETES_SERVICE_HOST'] !== undefined || existsSync('/.dockerenv') || existsSync('/run/.containerenv')
}

function checkHeapOf({ heapLimit, containerMemory }: ProgramFacts, memory = containerMemory): Outcome {
  return memory === undefined
    ? unchecked('heap', 'there is no memory limit here: pass that of the container, such as --memory 512Mi')
    : checkHeap({ heap: heapLimit, container: memory })
}

function checkDrain({ shutdowns }: ProgramFacts, grace: number | undefined): Outcome {
  if (shutdowns.length === 0) return unchecked('drain', 'shutdownGracefully was not called')
  if (grace === undefined) {
    return unchecked(
      'drain',
      'pass the grace period of the orchestrator, such as --grace 30s (the default of Kubernetes)',
    )
  }
  const longest = Math.max(...shutdowns)
  if (longest <= grace) return ok('drain')
  return finding(
    'drain',
    `the shutdown may take ${longest / 1_000} s, the process is killed after ${grace / 1_000} s`,
    `terminationGracePeriodSeconds: ${Math.ceil(longest / 1_000) + 1} # or shorter durations of shutdownGracefully`,
  )
}

/** The order is read from the routes of Express and Koa; with `route` it is tried on any framework. */
async function checkObservation(
  program: StartedProgram,
  { servers }: ProgramFacts,
  route: string | undefined,
): Promise<readonly Outcome[]> {
  if (servers.length === 0) {
    return (['requests', 'order'] as const).map((check) => unchecked(check, 'the program has not listened'))
  }
  const outcomes = await checkRequests({
    get: (path) =>
      Promise.allSettled(servers.map((each) => get(urlOf(each) + path, { timeoutMilliseconds: requestMilliseconds }))),
    count: async () => (await program.facts()).observedRequests || undefined,
    route,
    remedy: startsWithoutCode() ? 'UPKEEP_TOKEN=… # without it upkeep/auto measures no requests' : observeBeforeRoutes,
  })
  if (outcomes.some(({ check }) => check === 'order')) return outcomes
  const { isKnown, before } = (await program.facts()).order
  if (!isKnown)
    return [...outcomes, unchecked('order', 'pass --route with a path of the application that responds to GET')]
  if (before.length === 0) return [...outcomes, ok('order')]
  return [
    ...outcomes,
    finding(
      'order',
      `requests are not observed for routes that come before observe: ${before.slice(0, 5).join(', ')}`,
      observeBeforeRoutes,
    ),
  ]
}

/** Programs inherit `--import upkeep/auto` from the command in this variable. */
function startsWithoutCode(): boolean {
  return process.env['NODE_OPTIONS']?.includes('upkeep/auto') === true && !process.env['UPKEEP_TOKEN']
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1'
}

/** The address to reach it from this machine. */
function urlOf({ address, port }: ProgramFacts['servers'][number]): string {
  const host = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
  return `http://${authorityOf(host, port)}`
}

function authorityOf(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`
}
