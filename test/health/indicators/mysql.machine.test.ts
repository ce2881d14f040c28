import { createConnection, createPool } from 'mysql2'
import { createConnection as connectWithPromises, createPool as createPromisePool } from 'mysql2/promise'
import { mysql } from 'upkeep/health'
import { expect } from 'vitest'
import { describeServer } from '../../support/describe-server.ts'
import { findProgram } from '../../support/programs.ts'
import { startMariadb } from '../../support/start-mariadb.ts'
import { testBackend } from './backend-suite.ts'

const details = { database: expect.stringMatching(/^MariaDB \d+\.\d+\.\d+$/), validationQuery: 'SELECT 1' }

describeServer(
  {
    name: 'MariaDB',
    program: findProgram('mariadb-install-db'),
    install: 'apt-get install mariadb-server',
    start: startMariadb,
  },
  (server) => {
    testBackend(server, {
      client: 'a Pool of mysql2/promise',
      connect: async (uri) => {
        const pool = createPromisePool({ uri, connectionLimit: 4 })
        return { indicator: mysql(pool), close: () => pool.end().catch(() => {}) }
      },
      details,
      isPool: true,
    })

    testBackend(server, {
      client: 'a Pool of mysql2',
      connect: async (uri) => {
        const pool = createPool({ uri, connectionLimit: 4 })
        return { indicator: mysql(pool), close: () => new Promise((resolve) => pool.end(resolve)) }
      },
      details,
      isPool: true,
    })

    testBackend(server, {
      client: 'a Connection of mysql2/promise',
      connect: async (uri) => {
        const connection = await connectWithPromises(uri)
        connection.on('error', () => {})
        return { indicator: mysql(connection), close: () => connection.end().catch(() => {}) }
      },
      details,
      comesBack: false,
    })

    testBackend(server, {
      client: 'a Connection of mysql2',
      connect: async (uri) => {
        const connection = createConnection(uri)
        connection.on('error', () => {})
        return { indicator: mysql(connection), close: () => connection.destroy() }
      },
      details,
      comesBack: false,
    })
  },
)
