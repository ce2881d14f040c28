import createKnex from 'knex'
import type { Subject } from '../../instrumentation/pools/pool-suite.ts'
import { testGivingUp, testPool } from '../../instrumentation/pools/pool-suite.ts'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startPostgres } from '../../support/start-postgres.ts'

describeServer(
  { name: 'PostgreSQL', program: findProgram('initdb'), install: 'apt-get install postgresql', start: startPostgres },
  (server) => {
    const createTarn = (acquireTimeout = 5_000): Subject => {
      const pool = { min: 0, max: 2 }
      const knex = createKnex({
        client: 'pg',
        connection: server().url,
        pool,
        acquireConnectionTimeout: acquireTimeout,
      })
      const { client } = knex
      const take = async () => {
        const connection = await client.acquireConnection()
        return () => client.releaseConnection(connection)
      }
      return { pool: knex, take, use: () => knex.raw('SELECT 1'), close: () => knex.destroy() }
    }
    testPool('knex, by its pool of tarn', createTarn)
    testGivingUp('knex', () => createTarn(500))
  },
)
