import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { freePort } from '../../support/free-port.ts'

/** Writes the files of a project. */
export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

interface Outcome {
  readonly check: string
  readonly kind: 'ok' | 'finding' | 'unchecked'
  readonly problem?: string
  readonly remedy?: string
  readonly reason?: string
}

/** What the command has printed. */
export interface Examined {
  readonly code: number
  readonly outcomes: readonly Outcome[]
  /** How the program was started, other than by its file alone. */
  readonly start: string | undefined
  readonly error: string
  /** Returns the findings of a check, with their remedies. */
  readonly found: (check: string) => readonly string[]
}

/** Runs the command in a project, with JSON. */
export async function doctor(
  root: string,
  words: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  installed = join(root, 'node_modules/upkeep'),
): Promise<Examined> {
  const command = join(installed, 'dist/cli.cjs')
  const env = { ...process.env, KUBERNETES_SERVICE_HOST: undefined, PORT: String(await freePort()), ...environment }
  return new Promise((resolve) => {
    const args = [command, 'doctor', '--json', ...words]
    execFile(process.execPath, args, { cwd: root, env }, (error, out, err) => {
      const printed: { outcomes: readonly Outcome[]; start?: string } = out === '' ? { outcomes: [] } : JSON.parse(out)
      const { outcomes, start } = printed
      const found = (check: string) =>
        outcomes
          .filter((each) => each.check === check && each.kind === 'finding')
          .map(({ problem, remedy }) => `${problem}\n${remedy}`)
      resolve({ code: Number(error?.code ?? 0), outcomes, start, error: err, found })
    })
  })
}
