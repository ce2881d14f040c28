import { messageOf } from '../../base/callback.ts'
import { mcpHelp } from '../help.ts'
import { type Output, printable } from '../output.ts'
import { readMcpArguments } from './mcp-arguments.ts'
import { createServer } from './mcp-server.ts'
import { StdioServerTransport } from './sdk.ts'
import { createService } from './service.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Runs `upkeep mcp` until its input ends. Returns the exit code: 0, or 2 if an argument is invalid. */
export async function runMcp(words: readonly string[], environment: Environment, output: Output): Promise<number> {
  let given: ReturnType<typeof readMcpArguments>
  try {
    given = readMcpArguments(words, environment)
  } catch (error) {
    output.writeError(`upkeep mcp: ${messageOf(error)}\nSee upkeep mcp --help.\n`)
    return 2
  }
  if (given === undefined) {
    output.write(mcpHelp)
    return 0
  }
  const end = new AbortController()
  const server = createServer(given.services.map(createService), {
    allowsChanges: given.allowsChanges,
    end: end.signal,
  })
  server.onerror = (error) => output.writeError(`upkeep mcp: ${printable(messageOf(error))}\n`)
  await new Promise<void>((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve)
    process.stdin.once('end', resolve).once('close', resolve)
    server.connect(new StdioServerTransport()).catch(reject)
  })
  end.abort()
  await server.close()
  return 0
}
