import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireSignature } from '../../../../examples/webhook-receiver/messages/signature.ts'

// The example of the specification of Standard Webhooks.
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const body = Buffer.from('{"test": 2432232314}')
const signed = {
  'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  'webhook-timestamp': '1614265330',
  'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const now = () => 1_614_265_330_000
const check = (headers: Readonly<Record<string, string>>, options = {}, bytes: Uint8Array = body) =>
  requireSignature(secret, headers, bytes, { toleranceSeconds: 300, now, ...options })

describe('requireSignature', () => {
  it('accepts the example of Standard Webhooks', () => {
    expect(() => check(signed)).not.toThrow()
  })

  it.each([-300, 300])('accepts a timestamp that differs by %i seconds', (seconds) => {
    expect(() => check(signed, { now: () => now() + seconds * 1_000 })).not.toThrow()
  })

  it('accepts one valid signature among others', () => {
    const signatures = `v1,AAAA v1a,${'A'.repeat(43)}= ${signed['webhook-signature']}`
    expect(() => check({ ...signed, 'webhook-signature': signatures })).not.toThrow()
  })

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no id', { 'webhook-id': '' }, /not that of this body/],
    ['another id', { 'webhook-id': 'msg_other' }, /not that of this body/],
    ['another timestamp', { 'webhook-timestamp': '1614265331' }, /not that of this body/],
    ['no number for a timestamp', { 'webhook-timestamp': 'now' }, /within 300 seconds/],
    ['a timestamp before 1970', { 'webhook-timestamp': '-1' }, /within 300 seconds/],
    ['an old timestamp', { 'webhook-timestamp': '1614265029' }, /within 300 seconds/],
    ['a timestamp of tomorrow', { 'webhook-timestamp': '1614351730' }, /within 300 seconds/],
    ['no signature', { 'webhook-signature': '' }, /not that of this body/],
    ['half a signature', { 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt' }, /not that of this body/],
    [
      'a signature of no version',
      { 'webhook-signature': signed['webhook-signature'].slice(3) },
      /not that of this body/,
    ],
    [
      'a signature of another version',
      { 'webhook-signature': signed['webhook-signature'].replace('v1', 'v2') },
      /not that/,
    ],
  ])('refuses %s with a 401', (_name, headers, says) => {
    expect(() => check({ ...signed, ...headers })).toThrow(
      expect.objectContaining({ status: 401, message: expect.stringMatching(says) }),
    )
  })

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'names the required headers if %s is missing',
    (name) => {
      const headers = Object.fromEntries(Object.entries(signed).filter(([each]) => each !== name))
      expect(() => check(headers)).toThrow(/webhook-id, webhook-timestamp and webhook-signature are needed/)
    },
  )

  it('accepts any body with its own signature only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (bytes, others) => {
        const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        const signature = `v1,${hmac.update('a.1614265330.').update(bytes).digest('base64')}`
        const headers = { ...signed, 'webhook-id': 'a', 'webhook-signature': signature }
        expect(() => check(headers, {}, bytes)).not.toThrow()
        if (!Buffer.from(bytes).equals(others))
          expect(() => check(headers, {}, others)).toThrow(/not that of this body/)
      }),
    )
  })
})
