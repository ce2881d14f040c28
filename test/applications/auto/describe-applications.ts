import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/free-port.ts'
import { builtTarball } from '../../support/package/packed.ts'
import type { Application } from './application.ts'
import { checkManagement, token } from './check-management.ts'
import { execute } from './execute.ts'
import { type Run, runApplication } from './run-application.ts'

const quiet = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']

/** Compares each unmodified application with itself under `upkeep/auto`, which is installed elsewhere. */
export function describeApplications(applications: readonly Application[]): void {
  let folder: string
  const installed = () => join(folder, 'node_modules/upkeep/dist')
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upkeep-applications-'))
    await execute(folder, 'npm', ['install', '--prefix', folder, ...quiet, builtTarball])
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  describe.each(applications)('$name', (application) => {
    let project: string
    beforeAll(async () => {
      project = await mkdtemp(join(tmpdir(), 'upkeep-application-'))
      await copyFiles(application, project)
      await execute(project, 'npm', [...(application.install ?? ['ci']), ...quiet])
      if (application.build) await execute(project, process.execPath, application.build)
    })
    afterAll(() => rm(project, { recursive: true, force: true }))

    it.each(application.programs ?? [application.name])(
      '%s: runs the same under upkeep/auto, with discovery and without',
      async (program) => {
        const [env, ...measuredEnvs] = application.environments?.() ?? [{}, {}, {}]
        const without = await runApplication(application, program, project, env)
        expect(without.responses).toHaveLength(3)
        const { components = [] } = application
        await compare(without, program, measuredEnvs[0], ['diskSpace', ...components].toSorted())
        await compare(without, program, { ...measuredEnvs[1], UPKEEP_DISCOVER: 'false' }, [])
      },
    )

    /** Runs it under `upkeep/auto` with the same outcome, and with components that are discovered. */
    async function compare(
      without: Run,
      program: string,
      measuredEnv: Readonly<Record<string, string>>,
      components: readonly string[],
    ): Promise<void> {
      await copyFiles(application, project)
      const port = await freePort()
      const auto = {
        NODE_OPTIONS: application.load === 'require' ? `-r ${installed()}/auto.cjs` : `--import ${installed()}/auto.js`,
        ...{ UPKEEP_TOKEN: token, UPKEEP_PORT: String(port), UPKEEP_HOST: '127.0.0.1' },
      }
      const { err, ...measured } = await runApplication(
        application,
        program,
        project,
        { ...measuredEnv, ...auto },
        (child) => checkManagement(child, port, { counts: application.counts, components }),
      )
      const own = err.filter((line) => line.startsWith('upkeep: '))
      expect({ ...measured, err: err.filter((line) => !own.includes(line)) }).toEqual(without)
      expect(own.filter((line) => line.includes(': health at '))).toHaveLength(1)
      expect(own).toHaveLength(application.processes ?? 1)
    }
  })
}

/** Copies the files of an application, and removes those that it has written. */
async function copyFiles({ name, folders = [name], written = [] }: Application, project: string): Promise<void> {
  for (const path of written) await rm(join(project, path), { recursive: true, force: true })
  // Entity tags contain the times of files.
  for (const folder of folders) {
    await cp(join(import.meta.dirname, 'projects', folder), project, { recursive: true, preserveTimestamps: true })
  }
}
