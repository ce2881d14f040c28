import { once } from 'node:events'
import { connect } from 'node:net'
import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

/** Starts a NATS server that keeps nothing on disk. */
export async function startNats(): Promise<TestServer> {
  const command = findProgram('nats-server')
  if (command === undefined) {
    throw new Error('NATS is not installed')
  }
  const port = await freePort()
  return await runServer({
    name: 'NATS',
    url: `nats://127.0.0.1:${port}`,
    port,
    command,
    args: ['--addr', '127.0.0.1', '--port', String(port)],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const socket = connect(port, '127.0.0.1')
      // It says INFO to whoever comes.
      await once(socket, 'data').finally(() => socket.destroy())
    },
    clear: async () => {},
  })
}
