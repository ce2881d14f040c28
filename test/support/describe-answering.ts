import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, it } from 'vitest'

/** A server that runs already, at its usual port of 127.0.0.1. */
export interface RunningServer {
  readonly name: string
  readonly port: number
}

export const running = {
  postgres: { name: 'PostgreSQL', port: 5432 },
  mariadb: { name: 'MariaDB', port: 3306 },
  redis: { name: 'Redis', port: 6379 },
  rabbitmq: { name: 'RabbitMQ', port: 5672 },
  nats: { name: 'NATS', port: 4222 },
} as const

/**
 * `describe` for tests that need servers which run already. Where one does not answer they are skipped, and say so; with
 * `UPKEEP_REQUIRE_SERVERS=1` they fail instead.
 */
export async function describeAnswering(needs: readonly RunningServer[], body: () => void): Promise<void> {
  const answers = await Promise.all(needs.map(({ port }) => answersAt(port)))
  const silent = needs.filter((_, at) => !answers[at])
  const name = needs.map((need) => need.name).join(', ')
  const missing = silent.map((need) => `${need.name} does not answer at 127.0.0.1:${need.port}`).join(', ')
  if (silent.length === 0) {
    describe(name, body)
  } else if (process.env['UPKEEP_REQUIRE_SERVERS'] === '1') {
    it(`has ${name}`, () => {
      throw new Error(missing)
    })
  } else {
    console.warn(`SKIPPED: ${missing}, so what needs it is not tested`)
    describe.skip(`${name} (${missing})`, body)
  }
}

async function answersAt(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
