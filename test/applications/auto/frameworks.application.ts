import { describeApplications } from './describe-applications.ts'

const json = { 'content-type': 'application/json' }

describeApplications([
  {
    // npx @nestjs/cli@11 new, without its tests and linter.
    name: 'nest',
    build: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'],
    start: () => ['dist/main'],
    requests: [['/'], ['/', { method: 'POST' }], ['/nowhere']],
    counts: { '/ 200': 1, 'NOT_FOUND 404': 2 },
  },
  {
    // npx express-generator@4.16.1 --no-view
    name: 'express-generator',
    start: () => ['bin/www'],
    load: 'require',
    requests: [['/'], ['/users'], ['/users/nobody']],
    lastLine: /GET \/users\/nobody/,
    counts: { 'UNKNOWN 200': 1, '/users 200': 1, 'NOT_FOUND 404': 1 },
  },
  {
    // npx fastify-cli@8.0.2 generate
    name: 'fastify-cli',
    start: (port) => ['node_modules/fastify-cli/cli.js', 'start', '-l', 'info', '-p', String(port), 'app.js'],
    requests: [['/'], ['/example'], ['/nowhere']],
    counts: { '/ 200': 1, '/example 200': 1, 'NOT_FOUND 404': 1 },
  },
  {
    // The usage in the README of @hono/node-server 2.1.8, with a port.
    name: 'hono',
    start: () => ['index.js'],
    requests: [['/'], ['/', { method: 'HEAD' }], ['/nowhere']],
    counts: { '/ 200': 2, 'NOT_FOUND 404': 1 },
  },
  {
    // github.com/koajs/examples, the folder blog at 40c77db, with a port.
    name: 'koa',
    start: () => ['app.js'],
    requests: [
      ['/post/new'],
      ['/post', { method: 'POST', headers: json, body: '{"title":"First","body":"post"}', redirect: 'manual' }],
      ['/post/0'],
    ],
    lastLine: /--> GET \/post\/0/,
    // Both templates match /post/new, of which @koa/router 8 names the last one.
    counts: { '/post 302': 1, '/post/:id 200': 2 },
  },
  {
    name: 'bundles',
    build: ['build.mjs'],
    programs: ['esbuild', 'webpack'],
    start: (_, bundler) => [`dist/${bundler}.js`],
    requests: [['/orders/7'], ['/orders/8'], ['/nowhere']],
    counts: { '/orders/:id 200': 2, 'NOT_FOUND 404': 1 },
  },
  {
    name: 'node:cluster',
    folders: ['cluster'],
    start: () => ['app.js'],
    requests: [['/'], ['/a'], ['/b']],
    lastLine: /Both workers listen/,
    counts: { 'UNKNOWN 200': 3 },
    processes: 2,
  },
])
