import type { Form } from './application.ts'
import { type Case, describeServerRequests, usual } from './server-requests-suite.ts'

const anyForm: readonly Form[] = ['esm', 'cjs', 'bundled cjs']

const cases: readonly Case[] = [
  { ...usual, application: 'express', forms: [...anyForm, 'bundled esm'], found: ['express'] },
  {
    ...usual,
    application: 'express',
    name: 'express 4',
    forms: anyForm,
    alias: { express: 'express4' },
    found: ['express'],
  },
  { ...usual, application: 'koa', forms: anyForm, refused: '/admin/**', found: ['koa'] },
  {
    ...{ ...usual, application: 'koa', name: 'koa 2', forms: ['cjs'], alias: { koa: 'koa2' }, refused: '/admin/**' },
    ...{ found: ['koa'] },
  },
  { ...usual, application: 'fastify', forms: anyForm, found: ['fastify'] },
  { ...usual, application: 'hono', forms: [...anyForm, 'bundled esm'], found: ['hono'] },
  {
    ...{ ...usual, application: 'http', forms: anyForm, order: 'UNKNOWN', created: 'UNKNOWN' },
    ...{ failing: 'UNKNOWN', slow: 'UNKNOWN', refused: 'UNKNOWN', exception: 'none' },
  },
]

describeServerRequests(cases)
