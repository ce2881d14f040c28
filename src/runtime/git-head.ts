import { resolve } from 'node:path'
import { lazy } from '../base/lazy.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

export type Environment = Readonly<Record<string, string | undefined>>

/** What was built: its branch, if one is known, and the id of its commit. */
interface GitHead {
  readonly branch: string | undefined
  readonly commit: string
}

/**
 * Reads the commit of the running build from the environment (`GIT_COMMIT` and `GIT_BRANCH`, or the variables of GitHub
 * and GitLab), or else from the `.git` folder of a directory. Resolves with `undefined` if neither exists.
 */
export async function readGitHead(directory: string, environment: Environment): Promise<GitHead | undefined> {
  return fromEnvironment(environment) ?? (await fromFolder(resolve(directory, '.git')))
}

function fromEnvironment(environment: Environment): GitHead | undefined {
  // Build systems leave empty variables, which count as unset.
  const commit = environment['GIT_COMMIT'] || environment['GITHUB_SHA'] || environment['CI_COMMIT_SHA']
  const branch = environment['GIT_BRANCH'] || environment['GITHUB_REF_NAME'] || environment['CI_COMMIT_REF_NAME']
  return commit ? { branch: branch || undefined, commit } : undefined
}

async function fromFolder(folder: string): Promise<GitHead | undefined> {
  const head = await readText(resolve(folder, 'HEAD'))
  const reference = head?.match(/^ref: (refs\/[^\s]+)$/)?.[1]
  if (reference === undefined) return isCommit(head) ? { branch: undefined, commit: head } : undefined
  const commit =
    (await readText(resolve(folder, reference))) ?? packed(await readText(resolve(folder, 'packed-refs')), reference)
  return isCommit(commit) ? { branch: reference.replace(/^refs\/heads\//, ''), commit } : undefined
}

function packed(references: string | undefined, reference: string): string | undefined {
  const lines = references?.split('\n').map((line) => line.trimEnd())
  const line = lines?.find((candidate) => candidate.endsWith(` ${reference}`))
  return line?.split(' ')[0]
}

function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text)
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return (await files().readFile(path, 'utf8')).trim()
  } catch {
    return undefined
  }
}
