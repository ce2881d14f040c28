import pg from 'pg'
import { createManagement, type HealthChange, type Management } from 'upkeep'
import { postgres } from 'upkeep/health'
import { manage } from 'upkeep/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { type Listening, listen } from '../../support/listen.ts'
import { findProgram } from '../../support/programs.ts'
import { createRawClient } from '../../support/raw-client.ts'
import { startPostgres } from '../../support/start-postgres.ts'

/** What an orchestrator sees: the status and the text of each probe. */
const up = [200, '{"status":"UP"}']
const down = [503, '{"status":"DOWN"}']
const starting = [503, '{"status":"OUT_OF_SERVICE"}']

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    describe('an instance whose readiness needs its database, over HTTP', () => {
      let management: Management
      let pool: pg.Pool
      let listening: Listening
      const changes: HealthChange[] = []

      beforeAll(async () => {
        await server().stop()
        pool = new pg.Pool({ connectionString: server().url, connectionTimeoutMillis: 5_000 })
        pool.on('error', () => {})
        management = createManagement({
          health: {
            indicators: { db: { check: postgres(pool), timeout: '5s', cache: '50ms' } },
            groups: { readiness: { include: ['readinessState', 'db'], showComponents: 'never' } },
          },
          metrics: { runtime: false },
          report: () => {},
        })
        management.health.onChange((change) => void changes.push(change))
        listening = await listen(manage(management))
      })
      afterAll(async () => {
        management.close()
        await listening.close()
        await pool.end()
      })

      const probe = async (name: string) => {
        const { status, body } = await createRawClient(listening.port)({ target: `/management/health/${name}` })
        return [status, body]
      }
      const probes = async () => ({ liveness: await probe('liveness'), readiness: await probe('readiness') })
      const readinessChanges = () =>
        changes.flatMap((change) => (change.kind === 'group' && change.group === 'readiness' ? [change.to] : []))

      it('starts before its database: not ready, but alive', async () => {
        expect(await probes()).toEqual({ liveness: up, readiness: down })
        expect(await probe('readiness')).toEqual(down)
      })

      it('becomes ready when the connection completes, and its start-up task with it', async () => {
        let migrated = (): void => {}
        management.availability.addStartupTask(
          new Promise<void>((resolve) => {
            migrated = resolve
          }),
          'migrations',
        )
        await server().start()
        await expect.poll(probes).toEqual({ liveness: up, readiness: starting })
        migrated()
        await expect.poll(probes).toEqual({ liveness: up, readiness: up })
      })

      it('is not ready while its database is down, and alive', async () => {
        await server().kill()
        await expect.poll(probes).toEqual({ liveness: up, readiness: down })
      })

      it('is ready again by itself when its database is back', async () => {
        await server().start()
        await expect.poll(probes).toEqual({ liveness: up, readiness: up })
      })

      it('is alive and not ready while its database hangs, and ready when it continues', async () => {
        server().freeze()
        await expect.poll(probes).toEqual({ liveness: up, readiness: down })
        server().thaw()
        await expect.poll(probes).toEqual({ liveness: up, readiness: up })
      })

      it('has reported each of these states in order', () => {
        expect(readinessChanges()).toEqual(['DOWN', 'OUT_OF_SERVICE', 'UP', 'DOWN', 'UP', 'DOWN', 'UP'])
      })

      it('is not alive once it is marked broken, regardless of readiness', async () => {
        management.availability.markBroken(new Error('deadlock'))
        await expect.poll(probes).toEqual({ liveness: down, readiness: up })
      })
    })
  },
)
