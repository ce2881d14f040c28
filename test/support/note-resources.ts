import { HttpError } from 'upkeep'
import type { ManagementRequest, ManagementResponse } from 'upkeep/adapter'
import type { Resource } from 'upkeep/rest'
import { offerJson } from 'upkeep/rest'
import { vi } from 'vitest'
import { readJsonBody } from '../../src/http/conventions/request-body.ts'
import { pathOf } from '../../src/http/conventions/target.ts'
import { exchange } from '../../src/http/exchange.ts'
import { entityTagOf, formatEntityTag } from '../../src/http/fields/entity-tag.ts'
import type { Representation } from '../../src/http/representation.ts'
import { createRouter } from '../../src/http/router.ts'

const now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
const clock = { wallTime: () => now, monotonicTime: () => 0 }
const lastModified = Date.UTC(2026, 0, 1)

export const note = { text: 'h\u00e9llo', author: { name: 'Alice' } }
export const text = JSON.stringify(note)
export const tag = formatEntityTag(entityTagOf('application/json', text))

function asNote(changes: Partial<Representation> = {}): Representation {
  const plain = { mediaType: 'text/plain', render: () => note.text }
  return { offers: [...offerJson(note, ['application/json']), plain], caching: { maxAgeSeconds: 60 }, ...changes }
}

async function* slices() {
  yield new TextEncoder().encode('a')
}

function ranged(changes: Partial<Representation>, content = '0123456789'): Representation {
  async function* read(first: number, last: number) {
    yield new TextEncoder().encode(content.slice(first, last + 1))
  }
  const offer = { mediaType: 'text/plain', render: () => ({ size: content.length, entityTag: 'v1', read }) }
  return { offers: [offer], caching: 'no-cache', ...changes }
}

async function* tear() {
  yield* slices()
  throw new Error('gone')
}

const resources: Readonly<Record<string, Resource>> = {
  note: { get: () => asNote({ lastModified }) },
  uncached: { get: () => asNote({ caching: 'no-store', lastModified }) },
  checked: {
    get: async () => asNote({ caching: 'no-cache', headers: { Link: '</note>; rel=up', 'Content-Location': '/note' } }),
  },
  single: { get: () => ({ offers: offerJson(note, ['application/json']), caching: 'no-cache' }) },
  bytes: {
    get: () => ({
      offers: [{ mediaType: 'application/octet-stream', render: () => Uint8Array.of(0xff, 0) }],
      caching: 'no-cache',
    }),
  },
  stream: { get: () => ({ offers: [{ mediaType: 'text/plain', render: slices }], caching: 'no-cache' }) },
  /** Compressed already. */
  archive: {
    get: () => ({
      offers: [{ mediaType: 'application/gzip', render: slices }],
      caching: 'no-cache',
      isCompressed: true,
    }),
  },
  torn: { get: () => ({ offers: [{ mediaType: 'text/plain', render: tear }], caching: 'no-store' }) },
  unavailable: { get: () => asNote({ status: 503 }) },
  choices: { get: () => asNote({ status: 300, caching: 'no-cache' }) },
  moved: { get: () => ({ status: 303, headers: { Location: '/note' } }) },
  absent: { get: () => undefined },
  broken: {
    get: () => {
      throw new Error('secret')
    },
  },
  refused: { get: () => Promise.reject(new HttpError(429, 'Slow down.', { headers: { 'Retry-After': '5' } })) },
  unwritable: { get: () => ({ offers: offerJson(1n, ['application/json']), caching: 'no-cache' }) },
  secret: { access: 'authorized', get: async ({ identify }) => json((await identify())?.name) },
  own: { access: 'authorized', get: () => asNote({ caching: 'no-cache' }) },
  personal: { get: async ({ identify }) => json((await identify())?.name ?? 'nobody') },
  echo: { post: async ({ request }) => json(await readJsonBody(request)) },
  notes: { get: () => asNote(), post: () => asNote({ status: 201, headers: { Location: '/notes/1' } }) },
  document: { get: () => asNote({ lastModified }), put: () => undefined, delete: () => undefined },
  /** Ten bytes, of which a client may ask for a part. */
  digits: { get: () => ranged({ headers: { 'X-Kind': 'digits' } }), post: () => ranged({ status: 201 }) },
  nothing: { get: () => ranged({}, '') },
  guarded: { get: () => asNote({ lastModified }), put: () => undefined, post: () => undefined, guard: 'always' },
  'guarded-methods': {
    get: () => asNote(),
    put: () => undefined,
    delete: () => undefined,
    guard: (method) => (method === 'DELETE' ? 'always' : 'none'),
  },
  replaced: { get: () => asNote(), put: () => undefined, guard: 'occupied' },
  inserted: { get: () => undefined, put: () => undefined, guard: 'occupied' },
  emptied: { get: () => ({ status: 204, headers: {} }), put: () => undefined },
  fixed: { get: () => undefined, put: () => undefined, inserts: false },
  vacant: { get: () => undefined, put: () => undefined },
}

function json(value: unknown): Representation {
  return { offers: offerJson(value, ['application/json']), caching: 'no-store' }
}

const router = createRouter([
  ...Object.entries(resources).map(([path, resource]) => ({ path, resource })),
  { path: 'items/{first}/{*rest}', resource: { get: ({ variables, query }) => json([variables, [...query]]) } },
])

/** Sends a request to the resources of this file, and returns the response with the reported errors. */
export async function send(target: string, { headers = {}, ...rest }: Partial<ManagementRequest> = {}) {
  const request: ManagementRequest = {
    method: 'GET',
    target,
    headers,
    base: '',
    body: () => ({ kind: 'parsed', value: undefined }),
    ...rest,
  }
  const report = vi.fn()
  const authorize = ({ headers: { authorization } }: ManagementRequest) =>
    authorization === 'Bearer alice' ? { name: 'alice' } : undefined
  const response = await exchange(request, pathOf(target), { router, authorize, clock, report })
  return { ...response, reported: report.mock.calls }
}

/** Parses an error document. */
export const problem = (body: ManagementResponse['body']) => JSON.parse(String(body))
