import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWith } from './describe-with.ts'

/** A server that is already running on its default port of 127.0.0.1. */
export interface RunningServer {
  readonly name: string
  readonly port: number
  /** The protocol that `log-in.mjs` uses. */
  readonly protocol: 'amqp' | 'mysql' | 'nats' | 'postgres' | 'redis'
}

export const running = {
  postgres: { name: 'PostgreSQL', port: 5432, protocol: 'postgres' },
  mariadb: { name: 'MariaDB', port: 3306, protocol: 'mysql' },
  redis: { name: 'Redis', port: 6379, protocol: 'redis' },
  rabbitmq: { name: 'RabbitMQ', port: 5672, protocol: 'amqp' },
  nats: { name: 'NATS', port: 4222, protocol: 'nats' },
} as const satisfies Record<string, RunningServer>

const startCommand = 'bash .ci/servers.sh'
const logInProgram = fileURLToPath(new URL('log-in.mjs', import.meta.url))

/**
 * `describe` for tests that need running servers with the default credentials. Without such a server the tests are
 * skipped with a warning; with `UPKEEP_REQUIRE_SERVERS=1` they fail.
 */
export async function describeRunningServers(needs: readonly RunningServer[], body: () => void): Promise<void> {
  const missing = (await Promise.all(needs.map((need) => missingServer(need)))).filter((each) => each !== undefined)
  const name = needs.map((need) => need.name).join(', ')
  describeWith(name, missing.length === 0 ? undefined : `${missing.join('; ')}: ${startCommand}`, body)
}

/** Returns the reason why the tests cannot use a server; `undefined` if they can. */
export async function missingServer(
  { name, port, protocol }: RunningServer,
  timeout = 10_000,
): Promise<string | undefined> {
  // In a child process: clients may crash on another protocol, and must not be loaded here before an instrumentation
  // can patch them.
  const args = [logInProgram, protocol, String(port), String(timeout)]
  return await promisify(execFile)(process.execPath, args).then(
    () => undefined,
    ({ stdout }: { readonly stdout: string }) => `${name} at 127.0.0.1:${port} does not let the tests in (${stdout})`,
  )
}
