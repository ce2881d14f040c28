import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { freePort } from './free-port.ts'

/** A proxy process of a test. */
export interface RunningProxy {
  readonly port: number
  readonly child: Child
  dispose(): Promise<void>
}

/** The folder, the configuration file and the port of a proxy. */
export interface ProxyPlace {
  readonly folder: string
  readonly file: string
  readonly port: number
}

/** Starts a proxy, and resolves once it listens. It is killed when this process exits. */
export async function startProxy(
  program: string,
  configure: (place: ProxyPlace) => string,
  args: (place: ProxyPlace) => readonly string[],
): Promise<RunningProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  const place = { folder, file: join(folder, 'proxy.conf'), port: await freePort() }
  writeFileSync(place.file, configure(place))
  const child = startChild(program, args(place))
  const killAtExit = () => void child.process.kill('SIGKILL')
  process.once('exit', killAtExit)
  await listens(place.port, child)
  return {
    port: place.port,
    child,
    async dispose() {
      process.off('exit', killAtExit)
      child.process.kill('SIGTERM')
      await child.ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function listens(port: number, child: Child): Promise<void> {
  for (let ended = false; !ended; ) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isUp) return
    ended = await Promise.race([child.ended.then(() => true), wait(20, false)])
  }
  throw new Error(`the proxy does not start: ${child.err.lines.join('\n')}`)
}
