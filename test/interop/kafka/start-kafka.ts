import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-port.ts'
import { runServer, type TestServer } from '../../support/server-process.ts'
import { builtProgram } from '../programs.ts'

/** Starts Apache Kafka: one node that is broker and controller. Its `url` is the address of the broker. */
export async function startKafka(): Promise<TestServer> {
  const [port, controllerPort] = [await freePort(), await freePort()]
  const folder = await mkdtemp(join(tmpdir(), 'upkeep-kafka-'))
  const properties = join(folder, 'server.properties')
  const address = `127.0.0.1:${port}`
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://${address},CONTROLLER://127.0.0.1:${controllerPort}`,
    'log.dirs': join(folder, 'data'),
    'num.partitions': '4',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
  }
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  await writeFile(properties, lines.join(''))
  const java = ['-Xmx256m', '-cp', join(builtProgram('UPKEEP_KAFKA'), '*')]
  const clusterId = 'AAAAAAAAAAAAAAAAAAAAAQ'
  await promisify(execFile)('java', [...java, 'kafka.tools.StorageTool', 'format', '-t', clusterId, '-c', properties])
  return await runServer({
    name: 'Kafka',
    url: address,
    port,
    command: 'java',
    args: [...java, 'kafka.Kafka', properties],
    stopSignal: 'SIGTERM',
    greet: () =>
      new Promise((resolve, reject) => {
        const socket = connect(port, '127.0.0.1')
        socket.on('connect', () => resolve(socket.destroy())).on('error', reject)
      }),
    clear: () => rm(folder, { recursive: true, force: true }),
  })
}
