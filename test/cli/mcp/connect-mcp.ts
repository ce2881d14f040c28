import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { built } from '../../support/built.ts'

interface ToolResult {
  readonly text: string
  readonly isError: boolean
}

export interface ConnectedMcp {
  readonly client: Client
  /** Calls a tool, and returns its text. */
  readonly call: (name: string, input?: Record<string, unknown>) => Promise<ToolResult>
  /** What it has written to standard error. */
  readonly errors: () => string
}

/** Starts `upkeep mcp` of the packed package as a child process, with a client of the SDK at its pipes. */
export async function connectMcp(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ConnectedMcp> {
  const args = [built('build/node_modules/upkeep/dist/cli.cjs'), 'mcp', ...words]
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
  let written = ''
  transport.stderr?.on('data', (chunk) => {
    written += chunk
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    async call(name, input = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: input })
      const [first] = content as readonly { readonly type: string; readonly text: string }[]
      return { text: first?.text ?? '', isError: isError === true }
    },
    errors: () => written,
  }
}

/** Returns the lines between the markers of an answer. */
export function dataOf(text: string): string {
  const [, boundary = 'none'] = /^<untrusted-data ([\da-f]{16})>$/m.exec(text) ?? []
  const [, data = ''] = text.split(`<untrusted-data ${boundary}>\n`)
  return data.split(`</untrusted-data ${boundary}>`)[0] ?? ''
}
