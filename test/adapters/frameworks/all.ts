import type { RequestListener } from 'node:http'
import type { AdapterConformanceOptions } from 'upkeep/contract'
import { serveExpress, startExpress } from './express.ts'
import { serveFastify, startFastify } from './fastify.ts'
import { serveFetch, startFetch } from './fetch.ts'
import { serveHono, startHono } from './hono.ts'
import { serveKoa, startKoa } from './koa.ts'
import { serveNode, startNode } from './node.ts'
import type { ServingApplication } from './serving.ts'

export interface Framework extends Pick<AdapterConformanceOptions, 'start' | 'unsupported'> {
  readonly name: string
  /** Whether a body parser can precede the application. @default true */
  readonly parses?: boolean
  readonly serve: (application: ServingApplication) => RequestListener
  /** Further mount paths of resources, without a parser. @default all */
  readonly serves?: readonly ('below a prefix' | 'behind a parser')[]
}

const noTarget = 'a Request has a URL, which its server has resolved, and no target'
const refused = 'the server beneath refuses targets by itself of which it can make no URL of its own'
const unseen = 'whether a Response that waits behind another one was sent, only its server knows'

/** Frameworks whose adapters share their code. */
export interface Family {
  readonly first: Framework
  readonly others: readonly Framework[]
}

/** The frameworks with an adapter, each with the applications for the test suites. */
export const families: readonly Family[] = [
  {
    // They build on the adapter for node:http.
    first: { name: 'Express 5', start: startExpress('Express 5'), serve: serveExpress('Express 5') },
    others: [
      { name: 'Koa 3', start: startKoa('Koa 3'), serve: serveKoa('Koa 3') },
      { name: 'Express 4', start: startExpress('Express 4'), serve: serveExpress('Express 4') },
      { name: 'Koa 2', start: startKoa('Koa 2'), serve: serveKoa('Koa 2') },
      { name: 'node:http', start: startNode, serve: serveNode, serves: [] },
    ],
  },
  {
    // Its parser runs after `serve`.
    first: { name: 'Fastify', start: startFastify, serve: serveFastify, serves: ['below a prefix'] },
    others: [],
  },
  {
    // They build on the adapter for fetch.
    first: {
      name: 'Hono',
      start: startHono,
      serve: serveHono,
      serves: [],
      unsupported: { allTargets: refused, sentAnswers: unseen },
    },
    others: [
      {
        name: 'fetch',
        start: startFetch,
        unsupported: {
          rawTargets: noTarget,
          allTargets: refused,
          sentAnswers: unseen,
          preparedFields: 'a Response is made at the end, so there is none yet to set a field on',
        },
        parses: false,
        serve: serveFetch,
        serves: [],
      },
    ],
  },
]

export const frameworks: readonly Framework[] = families.flatMap(({ first, others }) => [first, ...others])
