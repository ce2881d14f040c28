import { describe, expect, it } from 'vitest'
import { createAvailability } from '../../src/lifecycle/availability.ts'

const up = { status: 'UP' }

function start() {
  const { availability, livenessState, readinessState } = createAvailability()
  return {
    availability,
    seen: () => ({
      liveness: [availability.liveness, livenessState.state()],
      readiness: [availability.readiness, readinessState.state()],
    }),
  }
}

describe('createAvailability', () => {
  it('is alive and takes traffic from the start', () => {
    expect(start().seen()).toEqual({ liveness: ['CORRECT', up], readiness: ['ACCEPTING_TRAFFIC', up] })
  })

  it('refuses traffic, with or without a reason, and stays alive', () => {
    const { availability, seen } = start()
    availability.refuseTraffic()
    expect(seen()).toEqual({
      liveness: ['CORRECT', up],
      readiness: ['REFUSING_TRAFFIC', { status: 'OUT_OF_SERVICE' }],
    })
    availability.refuseTraffic('draining')
    expect(seen().readiness).toEqual([
      'REFUSING_TRAFFIC',
      { status: 'OUT_OF_SERVICE', details: { reason: 'draining' } },
    ])
  })

  it('takes traffic again', () => {
    const { availability, seen } = start()
    availability.refuseTraffic('starting')
    availability.acceptTraffic()
    expect(seen().readiness).toEqual(['ACCEPTING_TRAFFIC', up])
  })

  it.each([
    [undefined, { status: 'DOWN' }],
    [new Error('out of handles'), { status: 'DOWN', details: { error: 'Error: out of handles' } }],
    ['stuck', { status: 'DOWN', details: { error: 'stuck' } }],
  ])('gives up because of %s, for good', (error, health) => {
    const { availability, seen } = start()
    availability.broken(error)
    availability.acceptTraffic()
    expect(seen()).toEqual({ liveness: ['BROKEN', health], readiness: ['ACCEPTING_TRAFFIC', up] })
  })

  it('is one application’s own: two live side by side', () => {
    const [one, other] = [start(), start()]
    one.availability.refuseTraffic()
    expect(other.availability.readiness).toBe('ACCEPTING_TRAFFIC')
  })
})
