import { adapterConformance } from 'upkeep/contract'
import { describe, expect, it } from 'vitest'
import { startExpress } from '../adapters/frameworks/express.ts'
import {
  answerNameless,
  manageWith,
  observeBeside,
  observeFirst,
  type Parts,
  pass,
  startWith,
} from './mutants/wrong-adapters.ts'

async function fails(start: ReturnType<typeof startWith>, title: RegExp): Promise<boolean> {
  const [one] = adapterConformance({ start, patience: '1s' }).filter((each) => title.test(each.title))
  if (one === undefined) throw new Error(`no case ${title}`)
  return one.run().then(
    () => false,
    () => true,
  )
}

describe('a broken adapter', () => {
  it.each<readonly [string, Partial<Parts>, RegExp]>([
    ['resolves targets', manageWith('resolving'), /^dot segments into the base path/],
    ['lowers targets', manageWith('lowering'), /^other letter case/],
    ['hands on no header fields', manageWith('without header fields'), /^health shows details/],
    ['knows no host', manageWith('without a host'), /^the index links to the exposed/],
    ['collects what streams', manageWith('in one piece'), /^the scrape streams/],
    ['observes nothing', { observe: () => pass }, /^a request to a route is timed/],
    ['answers no errors', { handleErrors: undefined }, /^a thrown conflict becomes/],
    ['fails at strange targets', manageWith('without strange targets'), /^a target that a server may resolve/],
    ['observes what comes first alone', { observe: observeFirst }, /^pipelined requests on a connection/],
    [
      'knows no response when an error comes',
      { handleErrors: answerNameless },
      /^a problem document has the request id/,
    ],
    ['hands on no credentials', manageWith('without header fields'), /^\/info, protected/],
    ['hands on no challenge', manageWith('with fields of its own'), /^\/info, protected/],
    ['lets every cache keep what it sends', manageWith('with fields of its own'), /^shared caches/],
    [
      'ends what fails as if it were whole',
      manageWith('as if it were whole'),
      /^a response whose content fails midway/,
    ],
    ['calls routes outside of their trace', { observe: observeBeside }, /^a route runs in the trace of its caller/],
    ['begins no trace', { observe: observeBeside }, /^a route starts a new trace/],
    ['loses the trace with the body', { observe: observeBeside }, /^a route stays in its trace after/],
    [
      'loses the trace of what is thrown',
      { observe: () => pass },
      /^a problem document has the trace id of the request, with/,
    ],
    ['counts the management', manageWith('without a word'), /^a request to the management is not counted/],
  ])('%s is caught', async (_, parts, title) => {
    expect(await fails(startWith({}), title)).toBe(false)
    expect(await fails(startWith(parts), title)).toBe(true)
  })

  it('shows what was expected, sent and received', async () => {
    const [one] = adapterConformance({ start: startWith({ handleErrors: undefined }) }).filter(({ title }) =>
      /conflict/.test(title),
    )
    await expect(one?.run()).rejects.toThrow(/^expected {2}.*\nsent {6}GET \/fail\/conflict/)
  })
})

describe('a case that needs what is lacking', () => {
  const reason = 'there is no target'
  const unsupported = { rawTargets: reason }
  const title = /^dot segments into the base path/
  const findCase = (onSkip?: (title: string, reason: string) => void) => {
    const start = () => Promise.reject(new Error('started'))
    const [one] = adapterConformance({ start, unsupported, onSkip }).filter((each) => title.test(each.title))
    if (one === undefined) throw new Error(`no case ${title}`)
    return one
  }

  it('starts nothing, and is reported as skipped by a runner that hands a context on', async () => {
    const reasons: string[] = []
    await findCase().run(...([{ skip: (told: string) => reasons.push(told) }] as never[]))
    expect(reasons).toEqual([reason])
  })

  it('is reported where the runner cannot skip a test', async () => {
    const told: string[] = []
    await findCase((skipped, why) => told.push(`${skipped}: ${why}`)).run()
    expect(told).toEqual([expect.stringMatching(/^dot segments into the base path.*: there is no target$/)])
  })

  it('is run where nothing is lacking', async () => {
    expect(await fails(startWith(manageWith('resolving')), title)).toBe(true)
  })

  it.each([
    [
      { targets: 'none' },
      'unsupported: expected rawTargets, allTargets, preparedFields, sentAnswers, received "targets"',
    ],
    [{ rawTargets: '' }, 'unsupported.rawTargets: expected a non-empty reason'],
    [{ rawTargets: true }, 'unsupported.rawTargets: expected a non-empty reason'],
  ])('is not lacking something else, or without a reason: %j', (wrongly, message) => {
    expect(() => adapterConformance({ start: startExpress('Express 5'), unsupported: wrongly as never })).toThrow(
      message,
    )
  })
})

describe('the cases', () => {
  it('have titles that are theirs alone', () => {
    const titles = adapterConformance({ start: startExpress('Express 5') }).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})
