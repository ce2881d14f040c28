import { freePort } from './free-port.ts'
import { findProgram } from './programs.ts'
import { runServer, type TestServer } from './server-process.ts'

/** Starts a Pushgateway that keeps nothing on disk. */
export async function startPushgateway(): Promise<TestServer> {
  const command = findProgram('prometheus-pushgateway')
  if (command === undefined) throw new Error('The Pushgateway is not installed')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  return await runServer({
    name: 'the Pushgateway',
    url,
    port,
    command,
    args: [`--web.listen-address=127.0.0.1:${port}`],
    stopSignal: 'SIGTERM',
    greet: async () => {
      const { ok } = await fetch(`${url}/-/ready`)
      if (!ok) throw new Error('not ready')
    },
    clear: async () => {},
  })
}
