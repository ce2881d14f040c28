import { describeRunningServers, running } from '../../support/describe-running-servers.ts'
import { type TestDatabase, usePostgresDatabase } from '../../support/use-database.ts'
import { describeApplications } from './describe-applications.ts'

const json = { 'content-type': 'application/json' }

// A hash of the body, which contains a time or an id.
const entityTag = /(?<=W\/\\")[^"\\]+/g

describeApplications([
  {
    // npx create-next-app@16.4.3 --empty, with `output: 'standalone'`.
    name: 'next',
    folders: ['../../next/16', 'next'],
    // Not `npm ci`, which requires that the lock lists the compilers of all platforms.
    install: ['install', '--no-save'],
    build: ['node_modules/next/dist/bin/next', 'build'],
    start: () => ['server.js'],
    cwd: '.next/standalone',
    requests: [['/'], ['/?page=2'], ['/nowhere']],
    counts: { '/ 200': 2, 'NOT_FOUND 404': 1 },
  },
  {
    // A version that runs on Node 20; later ones need Node 22.
    name: 'verdaccio',
    start: (port) => ['node_modules/verdaccio/bin/verdaccio', '-l', `127.0.0.1:${port}`, '-c', 'config.yaml'],
    requests: [['/-/ping'], ['/-/v1/search?text=upkeep'], ['/nothing']],
    counts: { '/-/ping 200': 1, '/-/v1/search 200': 1, '/:package/:version? 404': 1 },
    written: ['storage'],
    varies: [entityTag],
    lastLine: /"status":404.*no such package/,
  },
  {
    name: 'json-server',
    start: (port) => ['node_modules/json-server/lib/cli/bin.js', 'db.json', '--port', String(port)],
    requests: [['/posts/1'], ['/comments', { method: 'POST', headers: json, body: '{"body":"new"}' }], ['/posts/2']],
    counts: { '/posts/:id 200': 1, '/comments 201': 1, '/posts/:id 404': 1 },
    lastLine: /GET \/posts\/2/,
  },
])

const clientToken = 'default:development.secret'

const environment = ({ host, user, database }: TestDatabase) => ({
  DATABASE_URL: `postgres://${user}@${host}/${database}`,
  DATABASE_SSL: 'false',
  INIT_CLIENT_API_TOKENS: clientToken,
})

await describeRunningServers([running.postgres], () => {
  const databases = [usePostgresDatabase(), usePostgresDatabase(), usePostgresDatabase()] as const
  describeApplications([
    {
      // A version that runs on Node 20; later ones need Node 22.
      name: 'unleash-server',
      start: () => ['node_modules/unleash-server/dist/server.js'],
      environments: () => [environment(databases[0]), environment(databases[1]), environment(databases[2])],
      components: ['db'],
      requests: [
        ['/health'],
        ['/api/client/features', { headers: { authorization: clientToken } }],
        ['/api/admin/projects'],
      ],
      varies: [entityTag],
      counts: { '/health 200': 1, '/api/client/features 200': 1, '/api/** 401': 1 },
    },
  ])
})
