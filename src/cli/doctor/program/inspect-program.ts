import { basename } from 'node:path'
import { checkHeap, checkLiveness, checkRequests, observeBeforeRoutes } from '../checks.ts'
import type { DoctorArguments } from '../doctor-arguments.ts'
import { finding, type Outcome, ok, unchecked } from '../outcome.ts'
import type { AutoStart } from '../project/auto-start.ts'
import { type DatabaseClient, nameClients } from '../project/database-clients.ts'
import { get, isHealthReport } from '../service/request.ts'
import { checkAccess, checkAddress, type GetFrom, pathOf, urlOf } from './program-checks.ts'
import type { ManagementFacts, ProgramFacts, ServerFacts } from './program-facts.ts'
import { type StartedProgram, startProgram } from './started-program.ts'

/** A request to the program on this machine. */
const requestMilliseconds = 5_000

const getFrom: GetFrom = (server, path) =>
  get(urlOf(server) + path, { timeoutMilliseconds: requestMilliseconds, acceptsCertificate: true }).catch(
    () => undefined,
  )

/** What is known of a program before it is started. */
interface Surroundings {
  /** Those of its project, if it has one. */
  readonly databaseClients: readonly DatabaseClient[] | undefined
  readonly autoStart: AutoStart | undefined
}

/**
 * Starts a program, checks it once it listens, and ends it.
 *
 * @throws Error if it ends before.
 */
export async function inspectProgram(
  file: string,
  options: DoctorArguments,
  { databaseClients, autoStart }: Surroundings,
): Promise<readonly Outcome[]> {
  const program = await startProgram(file, options.timeoutMilliseconds, autoStart?.url)
  try {
    const all = await program.facts()
    const facts = { ...all, servers: all.servers.filter(({ isHttp }) => isHttp) }
    const { managements, servers } = facts
    return [
      checkAddress(servers, await findManaged(facts), options),
      checkHeapOf(facts, options.memory),
      checkDrain(facts, options.graceMilliseconds),
      ...(managements.length === 0
        ? withoutManagement(file, autoStart)
        : [
            await checkAccess(facts, options.publicEndpoints, getFrom),
            checkReadiness(managements, databaseClients, autoStart),
            ...checkLiveness(managements.flatMap(({ liveness }) => liveness)),
            ...(await checkObservation(program, servers, options.route, autoStart)),
          ]),
    ]
  } finally {
    await program.end()
  }
}

function withoutManagement(file: string, autoStart: AutoStart | undefined): readonly Outcome[] {
  const reason = reasonWithoutManagement(basename(file), autoStart)
  return (['access', 'requests', 'order', 'readiness', 'liveness'] as const).map((check) => unchecked(check, reason))
}

function reasonWithoutManagement(name: string, autoStart: AutoStart | undefined): string {
  const reason = 'createManagement was not called in the process that was started'
  if (autoStart === undefined) {
    return `${reason}; with upkeep/auto: NODE_OPTIONS="--import upkeep/auto" npx upkeep doctor ${name}`
  }
  const { option, place, url } = autoStart
  if (place === 'NODE_OPTIONS' || url !== undefined) return `${reason}, and upkeep/auto (${place}) serves nothing there`
  return `${reason}: ${place} has ${option}, which is not installed here; run npm install`
}

/** Returns the servers that respond with the health of a management. */
async function findManaged({ managements, servers }: ProgramFacts): Promise<readonly ServerFacts[]> {
  const hasHealth = async (server: ServerFacts, management: ManagementFacts): Promise<boolean> => {
    const received = await getFrom(server, pathOf(management, 'health'))
    return received !== undefined && isHealthReport(received)
  }
  const managed = servers.map(async (server) => {
    const responses = await Promise.all(managements.map((management) => hasHealth(server, management)))
    return responses.includes(true) ? [server] : []
  })
  return (await Promise.all(managed)).flat()
}

function checkReadiness(
  managements: readonly ManagementFacts[],
  clients: readonly DatabaseClient[] | undefined,
  autoStart: AutoStart | undefined,
): Outcome {
  if (clients === undefined) return unchecked('readiness', 'there is no package.json')
  const [client] = clients
  if (client === undefined || managements.some(({ readiness }) => readiness.length > 0)) return ok('readiness')
  // What upkeep/auto discovers is no indicator of the options.
  if (autoStart !== undefined && process.env['UPKEEP_READINESS']) return ok('readiness')
  const groups = "{ readiness: { include: ['readinessState', 'db'] } }"
  return finding(
    'readiness',
    `readiness has no indicator, and ${nameClients(clients)} installed`,
    autoStart === undefined
      ? `health: { indicators: { db: ${client.indicator} }, groups: ${groups} }`
      : 'UPKEEP_READINESS=db # the name of its component in health',
  )
}

/** Node derives the limit of the heap from the memory of the container in which it runs, unless an option sets it. */
function checkHeapOf({ heapLimit, isHeapSet, containerMemory }: ProgramFacts, memory: number | undefined): Outcome {
  const container = memory ?? containerMemory
  if (container === undefined) {
    return unchecked('heap', 'there is no memory limit here: pass that of the container, such as --memory 512Mi')
  }
  return isHeapSet || container === containerMemory ? checkHeap({ heap: heapLimit, container }) : ok('heap')
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
  servers: readonly ServerFacts[],
  route: string | undefined,
  autoStart: AutoStart | undefined,
): Promise<readonly Outcome[]> {
  const both = (reason: string) => (['requests', 'order'] as const).map((check) => unchecked(check, reason))
  const applications = servers.filter(({ isOwn }) => !isOwn)
  if (applications.length === 0) {
    return both(`the program has not listened on a port${servers.length === 0 ? '' : ' other than its management'}`)
  }
  const outcomes = await checkRequests({
    async get(path) {
      const received = await Promise.all(applications.map((server) => getFrom(server, path)))
      return received.find((each) => each !== undefined && each.status < 400) ?? received.find((each) => each)
    },
    count: async () => (await program.facts()).observedRequests || undefined,
    route,
    remedy: isUnmeasured(autoStart)
      ? 'UPKEEP_TOKEN=… # without it upkeep/auto measures no requests'
      : observeBeforeRoutes,
  })
  const { isKnown, before, isInRouter } = (await program.facts()).order
  const isFound = outcomes.some(({ kind }) => kind === 'finding')
  if (route === undefined && isFound && isInRouter) {
    return both('observe is used by a router: pass --route with a path of that router that responds to GET')
  }
  if (outcomes.some(({ check }) => check === 'order')) return outcomes
  if (!isKnown) {
    return [...outcomes, unchecked('order', 'pass --route with a path of the application that responds to GET')]
  }
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

/** Programs inherit the token from the command. */
function isUnmeasured(autoStart: AutoStart | undefined): boolean {
  return autoStart !== undefined && !process.env['UPKEEP_TOKEN']
}
