import { arch, platform, release } from 'node:os'
import { packageVersion } from '../../base/package-version.ts'
import { hideCredentials } from '../../base/redaction.ts'
import { reportHelp } from '../help.ts'
import { coloursFor, type Output, printable } from '../output.ts'
import { readDoctorArguments } from './doctor-arguments.ts'
import { inspect } from './doctor-command.ts'
import { outcomesAsText } from './outcome.ts'
import { findPackage, findProject } from './project/installed-packages.ts'
import { baseOf } from './service/inspect-service.ts'
import { get, parseObject } from './service/request.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What of a service is in a report: documents that mask secrets themselves. */
const documents = ['', '/health', '/info', '/why'] as const

/** No document needs more; what is beyond is omitted. */
const maxCharacters = 16_000

/**
 * Runs `upkeep report`: writes what an issue needs, as Markdown. Returns the exit code: 0, or 2 if an argument is
 * invalid.
 */
export async function runReport(words: readonly string[], environment: Environment, output: Output): Promise<number> {
  try {
    const given = readDoctorArguments(words, environment)
    if (given.help) {
      output.write(reportHelp)
      return 0
    }
    const colours = coloursFor({ NO_COLOR: '1' }, false)
    const checks = await inspect(given, environment).then(
      ({ outcomes, start }) => outcomesAsText(outcomes, colours, start),
      (error: Error) => {
        if (given.subject.kind === 'program') throw error
        return `not checked: ${error.message}\n`
      },
    )
    const parts = ['# upkeep report', section('Versions', versions()), section('Checks', checks)]
    if (given.subject.kind === 'url') parts.push(...(await readService(given.subject.url, given)))
    output.write(`${parts.join('\n\n')}\n`)
    return 0
  } catch (error) {
    output.writeError(`upkeep report: ${(error as Error).message}\nSee upkeep report --help.\n`)
    return 2
  }
}

/** The versions of the runtime, and of what package.json of this folder names. */
function versions(): string {
  const project = findProject(process.cwd())
  const installed = (project?.dependencies ?? []).flatMap((name) => {
    const found = findPackage(name, project?.folder ?? '')
    return found === undefined ? [] : `${name} ${found.version}`
  })
  const system = `${platform()} ${release()} ${arch()}`
  return [`upkeep ${packageVersion}`, `Node ${process.version}`, system, ...installed].join('\n')
}

async function readService(
  url: URL,
  { basePath, authorization, timeoutMilliseconds }: ReturnType<typeof readDoctorArguments>,
): Promise<readonly string[]> {
  const base = baseOf(url, basePath)
  return Promise.all(
    documents.map(async (path) => {
      const accept = path === '/why' ? 'text/markdown, application/json;q=0.5' : 'application/json'
      const text = await get(base + path, { authorization, timeoutMilliseconds, accept }).then(
        ({ status, text }) => `${status}\n${indented(text)}`,
        (error: Error) => `no response: ${error.message}`,
      )
      return section(`GET ${basePath}${path}`, text)
    }),
  )
}

/** JSON on lines of its own, which are short enough to be searched for secrets. */
function indented(text: string): string {
  const document = parseObject(text)
  return document === undefined ? text : JSON.stringify(document, undefined, 1)
}

/** A section with a block of text without secrets and control characters, which ends at no fence inside of it. */
function section(title: string, content: string): string {
  // Before it is cut: a part of a secret is not recognized.
  const text = content
    .split('\n')
    .map((line) => hideCredentials(printable(line)))
    .join('\n')
  const shown = text.length > maxCharacters ? `${text.slice(0, maxCharacters)}\n… ${text.length} characters` : text
  return `## ${title}\n\n\`\`\`\`text\n${shown.trimEnd().replaceAll('````', "''''")}\n\`\`\`\``
}
