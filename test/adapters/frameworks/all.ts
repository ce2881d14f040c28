import type { AdapterConformanceOptions } from '../../../src/contract.ts'
import { startExpress } from './express.ts'
import { startFastify } from './fastify.ts'
import { startFetch } from './fetch.ts'
import { startHono } from './hono.ts'
import { startKoa } from './koa.ts'
import { startNode } from './node.ts'

export interface Framework extends Pick<AdapterConformanceOptions, 'start' | 'lacks'> {
  readonly name: string
  /** Whether there is a parser of bodies that can stand in front. @default true */
  readonly parses?: boolean
}

const noTarget = 'a Request has a URL, which its server has resolved, and no target'
const unseen = 'whether a Response that waits behind another one was sent, only its server knows'

/** What upkeep has an adapter for, each with the application that a suite hands it. */
export const frameworks: readonly Framework[] = [
  { name: 'Express 5', start: startExpress('Express 5') },
  { name: 'Express 4', start: startExpress('Express 4') },
  { name: 'Koa 3', start: startKoa('Koa 3') },
  { name: 'Koa 2', start: startKoa('Koa 2') },
  { name: 'node:http', start: startNode },
  { name: 'Fastify', start: startFastify },
  { name: 'Hono', start: startHono, lacks: { rawTargets: noTarget, sentAnswers: unseen } },
  {
    name: 'fetch',
    start: startFetch,
    lacks: {
      rawTargets: noTarget,
      sentAnswers: unseen,
      preparedFields: 'a Response is made at the end, so there is none yet to set a field on',
    },
    parses: false,
  },
]
