import { reloadOnSignal, reloadWorkers, stopWorkers } from 'upkeep/cluster'
import { describe, expect, it } from 'vitest'

describe('reloadWorkers', () => {
  it.each([
    [{ startTimeout: '5' }, 'startTimeout: expected a duration such as "30s" of more than 0, received "5"'],
    [{ stopTimeout: '0s' }, 'stopTimeout: expected a duration such as "30s" of more than 0, received "0s"'],
    [{ fork: 1 }, 'fork: expected a function (replaced) that returns a worker, received 1'],
    [{ timeout: '5s' }, 'unknown option "timeout"; did you mean "stopTimeout"?'],
  ])('throws for the options %j', (options, message) => {
    expect(() => reloadWorkers(options as object)).toThrow(new TypeError(`reloadWorkers: ${message}`))
  })
})

describe('reloadOnSignal', () => {
  it('returns a function that restores the default effect of the signal', () => {
    const before = process.listenerCount('SIGHUP')
    const end = reloadOnSignal()
    expect(process.listenerCount('SIGHUP')).toBe(before + 1)
    end()
    expect(process.listenerCount('SIGHUP')).toBe(before)
  })

  it.each([['SIGKILL'], ['HUP'], [1]])('throws for the signal %j', (signal) => {
    const message = `reloadOnSignal: signal: expected a signal such as "SIGHUP", received ${JSON.stringify(signal)}`
    expect(() => reloadOnSignal(signal as NodeJS.Signals)).toThrow(new TypeError(message))
  })
})

describe('stopWorkers', () => {
  it('throws for invalid options', async () => {
    await expect(stopWorkers({ stopTimeout: 'x' as '1s' })).rejects.toThrow(/^stopWorkers: stopTimeout: expected/)
  })
})
