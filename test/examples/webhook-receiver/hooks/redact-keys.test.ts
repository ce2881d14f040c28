import { expect, it } from 'vitest'
import { redactKeys } from '../../../../examples/webhook-receiver/hooks/redact-keys.ts'

const key = 'abcdefghijkmnopqrstuvwxyz2'

it.each([
  [`/hooks/${key}`, '/hooks/REDACTED'],
  [`POST /hooks/${key}?a=b failed`, 'POST /hooks/REDACTED?a=b failed'],
  [`//HOOKS/${key.toUpperCase()}/messages`, '//HOOKS/REDACTED/messages'],
  [`/hooks/${key.slice(0, -1)}`, '/hooks/REDACTED'],
  [`/hooks/${key}%2Fmessages`, '/hooks/REDACTED'],
  [`/hooks/%61${key.slice(1)}`, '/hooks/REDACTED'],
  [`/hooks/${[...key].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')}`, '/hooks/REDACTED'],
  [`/hooks/%E0%${key}`, '/hooks/REDACTED'],
  [`/elsewhere?hook=${key}`, '/elsewhere?REDACTED'],
])('replaces the key in %s', (text, redacted) => {
  expect(redactKeys(text)).toBe(redacted)
})

it.each([
  '/hooks/0195f2a4-1c3e-7000-8000-00000000000a/rotate-signing-secret',
  '/management/health/readiness',
  'shutting down (SIGTERM): serves for 0ms, exits within 17000ms',
])('does not change %s', (text) => {
  expect(redactKeys(text)).toBe(text)
})
