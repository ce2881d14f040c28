import type { Project } from './installed-packages.ts'

/** An installed client of a database, cache or broker. */
export interface DatabaseClient {
  readonly name: string
  /** The indicator for it, as code. */
  readonly indicator: string
}

const query = "sql({ query: () => db.query('SELECT 1') })"

const indicators: Readonly<Record<string, string>> = {
  pg: 'postgres(pool)',
  'pg-promise': "sql({ query: () => db.query('SELECT 1') })",
  postgres: 'postgres(sql)',
  mysql2: 'mysql(pool)',
  mysql: "sql({ query: promisify((_, done) => pool.query('SELECT 1', done)) })",
  mariadb: query,
  mssql: query,
  oracledb: "sql({ query: () => connection.execute('SELECT 1 FROM dual') })",
  mongodb: 'mongodb(client)',
  mongoose: 'mongodb(mongoose.connection.getClient())',
  redis: 'redis(client)',
  ioredis: 'redis(client)',
  knex: "sql({ query: () => knex.raw('SELECT 1') })",
  sequelize: "sql({ query: () => sequelize.query('SELECT 1') })",
  typeorm: "sql({ query: () => dataSource.query('SELECT 1') })",
  '@prisma/client': "sql({ query: () => prisma.$queryRawUnsafe('SELECT 1') })",
  'drizzle-orm': "sql({ query: () => db.execute('SELECT 1') })",
  kysely: 'sql({ query: () => statement`SELECT 1`.execute(db) })',
  '@mikro-orm/core': "sql({ query: () => orm.em.getConnection().execute('SELECT 1') })",
  'cassandra-driver': "sql({ query: () => client.execute('SELECT key FROM system.local') })",
  amqplib: 'amqp(connection)',
  kafkajs: 'kafka(admin)',
  nats: 'nats(connection)',
}

/** Returns the clients among the dependencies of a project. */
export function databaseClientsOf({ dependencies }: Pick<Project, 'dependencies'>): readonly DatabaseClient[] {
  return dependencies.flatMap((name): readonly DatabaseClient[] => {
    const indicator = Object.hasOwn(indicators, name) ? indicators[name] : undefined
    return indicator === undefined ? [] : [{ name, indicator }]
  })
}

/** Returns the names of clients with a verb: `pg is`, `pg, redis are`. */
export function nameClients(clients: readonly DatabaseClient[]): string {
  return `${clients.map(({ name }) => name).join(', ')} ${clients.length === 1 ? 'is' : 'are'}`
}
