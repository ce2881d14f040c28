import { express } from './express.ts'
import { fastify } from './fastify.ts'
import type { Framework } from './framework.ts'
import { hapi } from './hapi.ts'
import { hono } from './hono.ts'
import { koa } from './koa.ts'
import { next } from './next.ts'

/** The frameworks whose routes are known. */
export const frameworks: readonly Framework[] = [express, fastify, koa, hono, next, hapi]
