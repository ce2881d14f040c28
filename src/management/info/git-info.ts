import { type Environment, readGitHead } from '../../runtime/git-head.ts'
import type { InfoContributor } from './contributor.ts'

interface GitInfoOptions {
  readonly directory?: string
  readonly environment?: Environment
}

/** `git`: branch and commit id of the running build, read once; omitted if they are not known. */
export function gitInfo({ directory = '.', environment = process.env }: GitInfoOptions = {}): InfoContributor {
  let reading: ReturnType<typeof readGit> | undefined
  return () => {
    reading ??= readGit(directory, environment)
    return reading
  }
}

async function readGit(directory: string, environment: Environment) {
  const head = await readGitHead(directory, environment)
  if (head === undefined) return undefined
  const { branch, commit } = head
  return { git: { ...(branch !== undefined && { branch }), commit: { id: commit } } }
}
