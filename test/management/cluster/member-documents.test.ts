import type { Management } from 'upkeep'
import { describe, expect, it, vi } from 'vitest'
import type { ClusterView, MemberResponse } from '../../../src/cluster/cluster-host.ts'
import { HttpError } from '../../../src/http/errors/http-error.ts'
import { createMemberDocuments, type DocumentRequest } from '../../../src/management/cluster/member-documents.ts'
import { attachFakeCluster } from '../../support/fake-cluster.ts'

const own = { now: 1, latest: 0, records: [], groups: [] }

/** The documents of member 0 of 0, 1 and 2, whose responses `responses` has by slot. */
function start(responses: readonly (MemberResponse | Error)[] = [], readOwn = () => own as object | undefined) {
  const management: Pick<Management, 'cluster'> = {
    cluster: { attach: () => () => {}, applyCommand: () => {}, respond: async () => '' },
  }
  const sent: unknown[] = []
  const request: ClusterView['request'] = async (slot, text, milliseconds) => {
    sent.push([slot, JSON.parse(text), milliseconds])
    const response = responses[slot] ?? 'timeout'
    if (response instanceof Error) throw response
    return response
  }
  const cluster = attachFakeCluster(management as Management, { request })
  const report = vi.fn()
  const onRequest = vi.fn<(respond: (text: string) => Promise<string>) => void>()
  const documents = createMemberDocuments({ view: cluster.view, onRequest }, readOwn, report)
  const respond = async (text: string) => onRequest.mock.calls[0]?.[0](text) ?? 'no responder'
  const read = async (path: string, search = '', variable = '') =>
    documents.read({ path, variable, query: new URLSearchParams(search) } satisfies DocumentRequest)
  return { cluster, documents, read, report, sent, respond }
}

const response = (document: unknown, status = 200) => ({ text: JSON.stringify({ status, document }) })

describe('a document of another member', () => {
  it('is requested with its path, its variable and its query, but for the member', async () => {
    const { read, sent } = start([own as never, response({ of: 1 })])
    expect(await read('meters/{name}', 'member=0&a=1', 'orders')).toBe(own)
    expect(await read('requests/{id}', 'member=1&a=1&b=2', '17')).toEqual({ of: 1 })
    expect(sent).toEqual([[1, { path: 'requests/{id}', variable: '17', query: 'a=1&b=2' }, 3_000]])
  })

  it.each<[string, MemberResponse, unknown]>([
    ['is none of a member that has none', { text: '{"status":404}' }, undefined],
    ['is none without a value', { text: '{"status":200}' }, undefined],
    ['is none that is no object', response(7), undefined],
    ['is none that is null', response(null), undefined],
  ])('%s', async (_, text, expected) => {
    expect(await start([text, text]).read('logs', 'member=1')).toBe(expected)
  })

  it.each<[MemberResponse, number, string]>([
    ['gone', 404, 'Member 1 not found; the members are 0, 1, 2.'],
    ['timeout', 504, 'Member 1 did not respond within 3 s; its event loop may be blocked.'],
    [{ text: '' }, 404, 'Member 1 does not expose the endpoint console.'],
    [{ text: '{"status":404,"detail":"Meter not found."}' }, 404, 'Meter not found.'],
    [{ text: '{"status":400,"detail":"Wrong."}' }, 400, 'Wrong.'],
  ])('fails as the member responded: %j', async (text, status, message) => {
    await expect(start([text, text]).read('logs', 'member=1')).rejects.toMatchObject({ status, message })
  })
})

describe('the documents of all members', () => {
  it('have those of the members that respond in 1.5 seconds; a failure is reported', async () => {
    const failure = new Error('disk full')
    const { read, report, sent } = start(['timeout', failure, response(own)])
    expect(await read('logs', 'after=17&limit=3')).toMatchObject({ records: [] })
    expect(sent).toEqual([1, 2].map((slot) => [slot, { path: 'logs', variable: '', query: 'limit=3' }, 1_500]))
    expect(report.mock.calls).toEqual([['console: failed to read member 1', failure]])
  })

  it('have no failure of a member that has none, has ended, or does not respond', async () => {
    const { read, report } = start(['timeout', 'gone', { text: '' }])
    expect(await read('logs')).toMatchObject({ records: [] })
    expect(report).not.toHaveBeenCalled()
  })

  it('are not requested of members that have not been heard of for long', async () => {
    const { cluster, read, sent } = start(['timeout', response(own), response(own)])
    cluster.set(1, { age: 1_000 })
    await read('logs')
    expect(sent).toMatchObject([[2, {}, 1_500]])
  })

  it('fail as this member does', async () => {
    const failing = () => {
      throw new HttpError(400, 'Wrong.')
    }
    await expect(start([], failing).read('logs')).rejects.toThrow('Wrong.')
  })

  it('are none where no member has one, or the path is unknown', async () => {
    expect(await start([], () => undefined).read('logs')).toBeUndefined()
    expect(await start().read('nothing')).toBeUndefined()
  })
})

describe('the response to another member', () => {
  const request = '{"path":"logs","variable":"","query":"a=1"}'

  it('is the document, or that there is none', async () => {
    expect(JSON.parse(await start().respond(request))).toEqual({ status: 200, document: own })
    expect(JSON.parse(await start([], () => undefined).respond(request))).toEqual({ status: 404 })
  })

  it('is the error of a request that is refused, which is not reported', async () => {
    const { respond, report } = start([], () => {
      throw new HttpError(400, 'Wrong.')
    })
    expect(JSON.parse(await respond(request))).toEqual({ status: 400, detail: 'Wrong.' })
    expect(report).not.toHaveBeenCalled()
  })

  it.each(['{', request])('is a failure of this member, which is reported: %s', async (text) => {
    const { respond, report } = start([], () => {
      throw new Error('canary')
    })
    expect(JSON.parse(await respond(text))).toEqual({ status: 500, detail: 'The member failed to respond.' })
    expect(report.mock.calls).toEqual([['console: failed to respond to the request of a member', expect.any(Error)]])
  })
})
