import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createSharedRequest } from '../../../src/health/indicators/shared-request.ts'
import { measureLiveHeap } from '../../support/collect-garbage.ts'
import { createManualClock } from '../../support/manual-clock.ts'

interface Question {
  readonly answer: (text: string) => void
  readonly fail: (error: unknown) => void
}

/** An inquiry whose questions are answered by hand. */
function inquire() {
  const clock = createManualClock()
  const questions: Question[] = []
  const ask = createSharedRequest(() => new Promise<string>((answer, fail) => questions.push({ answer, fail })), {
    clock,
    lostAfterMilliseconds: 1_000,
  })
  return { ask, clock, questions }
}

const never = new AbortController().signal
const reason = new Error('deadline')

describe('createSharedRequest', () => {
  it('sends sequential requests', async () => {
    const { ask, questions } = inquire()
    const first = ask(never)
    questions[0]?.answer('one')
    await expect(first).resolves.toBe('one')
    const second = ask(never)
    questions[1]?.fail(reason)

    await expect(second).rejects.toBe(reason)
    expect(questions).toHaveLength(2)
    expect(getEventListeners(never, 'abort')).toEqual([])
  })

  it('sends nothing while a request is pending, and shares its response', async () => {
    const { ask, questions } = inquire()
    const answers = [ask(never), ask(never), ask(never)]
    questions[0]?.answer('one')

    await expect(Promise.all(answers)).resolves.toEqual(['one', 'one', 'one'])
    expect(questions).toHaveLength(1)
  })

  it('rejects only the caller whose signal aborts', async () => {
    const { ask, questions } = inquire()
    const controller = new AbortController()
    const impatient = ask(controller.signal)
    const patient = ask(never)
    controller.abort(reason)
    await expect(impatient).rejects.toBe(reason)
    questions[0]?.answer('one')

    await expect(patient).resolves.toBe('one')
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('sends nothing for a signal that has aborted', async () => {
    const { ask, questions } = inquire()

    await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(questions).toEqual([])
  })

  it('sends again when a request is lost, and accepts the response to either', async () => {
    const { ask, clock, questions } = inquire()
    const controller = new AbortController()
    const first = ask(controller.signal)
    controller.abort(reason)
    await expect(first).rejects.toBe(reason)
    clock.advance(999)
    const second = ask(never)
    expect(questions).toHaveLength(1)
    clock.advance(1)
    const third = ask(never)
    expect(questions).toHaveLength(2)
    questions[0]?.answer('at last')

    await expect(second).resolves.toBe('at last')
    await expect(third).resolves.toBe('at last')
  })

  it('ignores the failure of a lost request', async () => {
    const { ask, clock, questions } = inquire()
    const lost = ask(AbortSignal.timeout(1))
    await expect(lost).rejects.toThrow()
    clock.advance(1_000)
    const next = ask(never)
    questions[0]?.fail(new Error('timed out long ago'))
    await new Promise(setImmediate)
    questions[1]?.answer('two')

    await expect(next).resolves.toBe('two')
  })

  it('rejects with what is thrown synchronously, and can send again', async () => {
    let times = 0
    const ask = createSharedRequest<string>(() => {
      times++
      throw reason
    })

    await expect(ask(never)).rejects.toBe(reason)
    await expect(ask(never)).rejects.toBe(reason)
    expect(times).toBe(2)
  })

  it('retains nothing of 10,000 callers that were aborted', async () => {
    const { ask, questions } = inquire()
    const giveUp = async (times: number) => {
      for (let time = 0; time < times; time++) {
        const controller = new AbortController()
        const answer = ask(controller.signal)
        controller.abort(reason)
        await answer.catch(() => {})
      }
    }
    await giveUp(1_000)
    const before = await measureLiveHeap()
    await giveUp(10_000)

    expect((await measureLiveHeap()) - before).toBeLessThan(500_000)
    expect(questions).toHaveLength(1)
  })
})
