import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'amqplib'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

/** Debian's program of this name only runs as the user of its own service. */
export const rabbitmqProgram = '/usr/lib/rabbitmq/bin/rabbitmq-server'

/** Starts a RabbitMQ node of its own, with a port mapper of its own beside it, that knows `guest`. */
export async function startRabbitmq(): Promise<TestServer> {
  const epmd = findProgram('epmd')
  if (epmd === undefined) {
    throw new Error('Erlang is not installed')
  }
  const folder = await mkdtemp(join(tmpdir(), 'rabbitmq-'))
  const [port, distributionPort, mapperPort] = [await freePort(), await freePort(), await freePort()]
  const url = `amqp://guest:guest@127.0.0.1:${port}`
  await writeFile(join(folder, '.erlang.cookie'), 'a cookie of this node alone')
  await chmod(join(folder, '.erlang.cookie'), 0o400)
  await writeFile(join(folder, 'enabled_plugins'), '[].')
  await writeFile(join(folder, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${port}\n`)

  const mapper = spawn(epmd, ['-port', String(mapperPort), '-address', '127.0.0.1'], { stdio: 'ignore' })
  const killMapper = (): void => void mapper.kill('SIGKILL')
  process.once('exit', killMapper)

  return await runServer({
    name: 'RabbitMQ',
    url,
    port,
    command: rabbitmqProgram,
    args: [],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ERL_EPMD_PORT: String(mapperPort),
      ERL_EPMD_ADDRESS: '127.0.0.1',
      RABBITMQ_NODENAME: `test-${port}@localhost`,
      RABBITMQ_DIST_PORT: String(distributionPort),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
      RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
      RABBITMQ_LOG_BASE: join(folder, 'log'),
      RABBITMQ_LOGS: '-',
      RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}',
    },
    stopSignal: 'SIGTERM',
    greet: async () => {
      const connection = await connect(url)
      await connection.close()
    },
    clear: async () => {
      process.removeListener('exit', killMapper)
      killMapper()
      await rm(folder, { recursive: true, force: true })
    },
  })
}
