import { type Case, describeServerRequests, usual } from '../../auto/application/server-requests-suite.ts'

const packages = import.meta.dirname

const cases: readonly Case[] = [
  {
    ...{ ...usual, application: 'fastify', name: 'fastify 4', forms: ['cjs'], alias: { fastify: 'fastify4' } },
    ...{ packages, found: ['fastify'] },
  },
  {
    ...{ ...usual, application: 'hapi', packages, forms: ['esm', 'cjs'], order: '/api/orders/{id}' },
    ...{ refused: 'UNKNOWN', found: ['hapi'] },
  },
]

describeServerRequests(cases)
