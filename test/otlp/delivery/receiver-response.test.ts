import { describe, expect, it } from 'vitest'
import { responseText } from '../../../src/otlp/delivery/receiver-response.ts'
import { secretsOf } from '../../../src/otlp/exporters.ts'
import type { ReceiverSettings } from '../../../src/otlp/settings/receiver-settings.ts'

const textOf = (body: string, contentType: string, secrets: readonly string[] = []) =>
  responseText(new TextEncoder().encode(body), contentType, secrets)

describe('the text of a response', () => {
  it.each([
    ['text/html', '<html><h1>Bad gateway</h1></html>', ''],
    ['text/html; charset=utf-8', '<TITLE>Bad gateway</TITLE>', 'Bad gateway'],
    ['text/plain', '{"message":"no room"}', '{"message":"no room"}'],
    ['application/json', '{"message":"no room"}', 'no room'],
    ['application/json', '{"error":"no room"}', 'no room'],
    ['application/json', '{"message":1}', '{"message":1}'],
    ['application/json', 'no room', 'no room'],
    ['', 'no room', 'no room'],
  ])('of type %j with the content %j is %j', (contentType, body, text) => {
    expect(textOf(body, contentType)).toBe(text)
  })

  it('ends after 300 characters', () => {
    expect(textOf('a'.repeat(300), 'text/plain')).toBe('a'.repeat(300))
    expect(textOf('a'.repeat(301), 'text/plain')).toBe(`${'a'.repeat(300)}…`)
  })
})

describe('the secrets of a request', () => {
  const secretsIn = (headers: Readonly<Record<string, string>>) => secretsOf({ headers } as ReceiverSettings)

  it('are the values of header fields and their words, apart from those of fewer than six characters', () => {
    const headers = { authorization: 'Basic bWU6c2VjcmV0', tenant: 'acme', 'api-key': '123456', other: '12345' }
    expect([...new Set(secretsIn(headers))]).toEqual(['Basic bWU6c2VjcmV0', 'bWU6c2VjcmV0', '123456'])
  })

  it('leave a response readable if a header field is short', () => {
    const secrets = secretsIn({ tenant: 'a', empty: '' })
    expect(textOf('a bad span', 'text/plain', secrets)).toBe('a bad span')
  })
})
