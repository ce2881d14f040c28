#!/usr/bin/env node
import { generalHelp, probeHelp } from './help.ts'
import type { Output } from './output.ts'
import { probe } from './probe.ts'

// The reader, such as head, has closed the pipe (EPIPE): there is nowhere to report to.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(2))

const output: Output = {
  write: (text) => void process.stdout.write(text),
  writeError: (text) => void process.stderr.write(text),
  isTerminal: process.stdout.isTTY === true,
}

// Commands are imported on use, to start a probe fast.
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code
})

async function run([command, ...rest]: readonly string[]): Promise<number> {
  switch (command) {
    case 'probe':
      return runProbe(rest)
    case 'contract': {
      const { runContract } = await import('./contract-command.ts')
      return runContract(rest, process.env, output)
    }
    case 'doctor': {
      const { runDoctor } = await import('./doctor/doctor-command.ts')
      return runDoctor(rest, process.env, output)
    }
    case 'report': {
      const { runReport } = await import('./doctor/report-command.ts')
      return runReport(rest, process.env, output)
    }
    case 'cluster': {
      const { runCluster } = await import('./cluster-command.ts')
      return runCluster(rest, output)
    }
    case 'top': {
      const { runTop } = await import('./top/top-command.ts')
      return runTop(rest, process.env, output)
    }
    case 'mcp': {
      const { runMcp } = await import('./mcp/mcp-command.ts')
      return runMcp(rest, process.env, output)
    }
    case 'explain': {
      const { runExplain } = await import('./documentation/explain-command.ts')
      return runExplain(rest, process.env, output)
    }
    case 'docs': {
      const { runDocs } = await import('./documentation/docs-command.ts')
      return runDocs(rest, output)
    }
    case '--help':
    case '-h':
    case 'help':
      process.stdout.write(generalHelp)
      return 0
    default:
      process.stderr.write(command === undefined ? generalHelp : `Unknown command ${command}.\n\n${generalHelp}`)
      return 2
  }
}

async function runProbe(rest: readonly string[]): Promise<number> {
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(probeHelp)
    return 0
  }
  const { ok, message } = await probe(rest)
  if (!ok) process.stderr.write(`upkeep probe: ${message}\n`)
  // Docker only defines the exit codes 0 and 1 for a HEALTHCHECK.
  return ok ? 0 : 1
}
