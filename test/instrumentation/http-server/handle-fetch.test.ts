import { HttpError } from 'upkeep'
import { describe, expect, it } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { requestCounts } from '../../support/request-counts.ts'
import { setUpObservation } from '../../support/set-up-observation.ts'

function setUp() {
  const { meters, observation, active } = setUpObservation()
  const leaving = new AbortController()
  const request = (method = 'GET') => new Request('http://a/orders/7', { method, signal: leaving.signal })
  const begin = async (message: Request, next: () => Response | Promise<Response>) =>
    observation.beginFetch(message, message, () => '/orders/:id', next)
  return {
    observation,
    begin,
    request,
    leave: () => leaving.abort(),
    active,
    recorded: () => [...requestCounts(meters)],
  }
}

const get = (outcome: string, count = 1) => [[`/orders/:id GET ${outcome}`, count]]

/** Content that never ends. */
function endless() {
  let cancelled = 0
  const content = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
      controller.enqueue(new Uint8Array(1))
    },
    cancel: () => void cancelled++,
  })
  return { content, cancelled: () => cancelled }
}

describe('a request of a fetch server', () => {
  it('ends when its response was read', async () => {
    const { begin, request, active, recorded } = setUp()
    const { promise, resolve } = deferred<Response>()
    const answering = begin(request(), () => promise)
    expect([active(), recorded()]).toEqual([[1], []])
    resolve(Response.json([], { status: 201 }))
    expect(await (await answering).json()).toEqual([])
    expect([active(), recorded()]).toEqual([[0], get('201 SUCCESS none')])
  })

  it.each([
    [204, 'SUCCESS'],
    [304, 'REDIRECTION'],
  ])('with a response of %s without content, ends with that', async (status, outcome) => {
    const { begin, request, active, recorded } = setUp()
    await begin(request(), () => new Response(null, { status }))
    expect([active(), recorded()]).toEqual([[0], get(`${status} ${outcome} none`)])
  })

  it('with HEAD ends with its response, whose content is not read', async () => {
    const { begin, request, active, recorded } = setUp()
    const answer = new Response(endless().content)
    expect(await begin(request('HEAD'), () => answer)).toBe(answer)
    expect(answer.bodyUsed).toBe(false)
    expect([active(), recorded()]).toEqual([[0], [['/orders/:id HEAD 200 SUCCESS none', 1]]])
  })

  it.each([
    [new HttpError(409, 'no'), '409 CLIENT_ERROR HttpError'],
    [new TypeError('no'), '500 SERVER_ERROR TypeError'],
    ['no', '500 SERVER_ERROR string'],
  ])(
    'whose handler throws %s has the status of its error document, and rejects with the same',
    async (error, outcome) => {
      const { begin, request, active, recorded } = setUp()
      await expect(begin(request(), () => Promise.reject(error))).rejects.toBe(error)
      expect([active(), recorded()]).toEqual([[0], get(outcome)])
    },
  )

  it('whose content fails is aborted with that error', async () => {
    const { begin, request, active, recorded } = setUp()
    const content = new ReadableStream({ start: (controller) => controller.error(new RangeError('midway')) })
    const response = await begin(request(), () => new Response(content))
    await expect(response.text()).rejects.toThrow('midway')
    expect([active(), recorded()]).toEqual([[0], get('499 ABORTED RangeError')])
  })

  it('whose content is cancelled is aborted', async () => {
    const { begin, request, active, recorded } = setUp()
    const { content, cancelled } = endless()
    const response = await begin(request(), () => new Response(content))
    await response.body?.cancel()
    expect(cancelled()).toBe(1)
    expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
  })
})

describe('a request whose client disconnects', () => {
  it('before the observation is aborted, and handled', async () => {
    const { begin, request, leave, active, recorded } = setUp()
    leave()
    expect((await begin(request(), () => Response.json([]))).status).toBe(200)
    expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
  })

  it('before its response is aborted then, and not counted again by its response or error', async () => {
    for (const late of [Response.json([]), Promise.reject(new Error('late'))]) {
      const { begin, request, leave, active, recorded } = setUp()
      const { promise, resolve } = deferred<Response>()
      const answering = begin(request(), () => promise)
      leave()
      expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
      resolve(late as Response)
      await answering.catch(() => undefined)
      expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
    }
  })

  it('during its response is aborted once', async () => {
    const { begin, request, leave, active, recorded } = setUp()
    const response = await begin(request(), () => new Response(endless().content))
    const reader = response.body?.getReader()
    await reader?.read()
    expect([active(), recorded()]).toEqual([[1], []])
    leave()
    await reader?.cancel()
    expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
  })

  it('after the response was read is complete', async () => {
    const { begin, request, leave, active, recorded } = setUp()
    await (await begin(request(), () => Response.json([]))).text()
    leave()
    expect([active(), recorded()]).toEqual([[0], get('200 SUCCESS none')])
  })
})

describe('a request that is not counted', () => {
  it('because it was upgraded, without a response', async () => {
    const { begin, request, leave, active, recorded } = setUp()
    expect(await begin(request(), () => undefined as never)).toBeUndefined()
    leave()
    expect([active(), recorded()]).toEqual([[0], []])
  })

  it('because the management handles it', async () => {
    const { begin, observation, request, active, recorded } = setUp()
    const message = request()
    const answer = new Response(endless().content)
    const response = await begin(message, () => {
      observation.excludeFromObservation(message)
      return answer
    })
    expect(response).toBe(answer)
    expect([active(), recorded()]).toEqual([[0], []])
  })

  it.each([
    ['the management answers it', true],
    ['it was upgraded', false],
  ])('is subtracted once from the active ones if its client disconnects before %s', async (_, isManaged) => {
    const { begin, observation, request, leave, active, recorded } = setUp()
    const message = request()
    await begin(message, async () => {
      leave()
      if (isManaged) observation.excludeFromObservation(message)
      return (isManaged ? Response.json([]) : undefined) as Response
    })
    expect([active(), recorded()]).toEqual([[0], get('499 ABORTED none')])
  })
})
