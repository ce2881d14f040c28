import { type Child, startChild } from '../../support/child.ts'
import { freePort } from '../../support/free-port.ts'
import { builtProgram } from '../programs.ts'

/** A Spring Boot application, in a JVM of its own. */
export interface SpringApplication {
  readonly url: string
  /** The lines of its log at WARN and ERROR. */
  readonly problems: () => readonly string[]
  /** Starts it again after `stop`, at the same port and without its state; resolves when it accepts requests. */
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Small and soon started: neither is a load test. */
const jvm = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xshare:auto']

/** Starts an application that .ci/interop has built; `variable` names its JAR. */
export async function startSpring(variable: string): Promise<SpringApplication> {
  const port = await freePort()
  let child: Child | undefined

  const start = async (): Promise<void> => {
    const started = startChild('java', [...jvm, '-jar', builtProgram(variable), `--server.port=${port}`])
    child = started
    await started.out.line(/ Started \w+ in /).catch((error: Error) => {
      throw new Error(`${variable} does not start: ${started.err.lines.join('\n')}`, { cause: error })
    })
  }
  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    problems: () => child?.out.lines.filter((line) => / (?:WARN|ERROR) \d+ --- /.test(line)) ?? [],
    start,
    async stop() {
      child?.process.kill('SIGTERM')
      await child?.ended
      child = undefined
    },
  }
}
