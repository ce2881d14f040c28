import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactPath } from '../../src/base/redact-path.ts'

const key = 'cr3bcsv56nji8c8u4ibjurer55'

describe('redactPath with the template of the route', () => {
  it.each([
    ['/orders/17/lines/Ab_3', '/orders/:id/lines/:line', '/orders/17/lines/Ab_3'],
    [`/hooks/${key}`, '/hooks/:key', '/hooks/REDACTED'],
    [`/hooks/${key}/`, '/hooks/:key', '/hooks/REDACTED/'],
    [`/Hooks/${key}/messages/9`, '/hooks/{hookKey}/messages/{message}', '/Hooks/REDACTED/messages/9'],
    ['/reset/word', '/reset/:resetToken', '/reset/REDACTED'],
    ['/verify/482913', '/verify/:CODE', '/verify/REDACTED'],
    ['/tokens/17', '/tokens/:id', '/tokens/17'],
    ['/', '/', '/'],
  ])('%s of %s is %s', (path, template, redacted) => {
    expect(redactPath(path, template)).toBe(redacted)
  })

  it.each([
    ['a wildcard', '/files/docs/17/x', '/files/*path', '/files/docs/REDACTED/x'],
    ['a secret wildcard', '/share/a/b', '/share/*token', '/share/REDACTED/REDACTED'],
    ['an optional segment', `/a/b/${key}`, '/a{/:b}/:id', '/a/b/REDACTED'],
    ['an optional segment and a secret', '/a/b/word', '/a{/:b}/:key', '/REDACTED/REDACTED/REDACTED'],
    ['the rest below a mount', '/tenants/Acme/docs/17', '/tenants/:tenant/**', '/tenants/Acme/docs/REDACTED'],
    ['two variables in a segment', '/orders/17-18', '/orders/:from-:to', '/orders/REDACTED'],
    ['a secret with an extension', '/keys/word.json', '/keys/:key.json', '/keys/REDACTED'],
    ['a mount path that the template lacks', '/api/orders/17', '/orders/:id', '/api/orders/REDACTED'],
    ['more segments than the template', '/orders/17/x/18', '/orders/:id', '/orders/17/x/REDACTED'],
  ])('keeps only words from where %s begins', (_, path, template, redacted) => {
    expect(redactPath(path, template)).toBe(redacted)
  })
})

describe('redactPath without a template', () => {
  it.each([
    ['/api/v2/forgot-password', '/api/v2/forgot-password'],
    ['/.well-known/security.txt', '/.well-known/security.txt'],
    ['/wp-login.php', '/wp-login.php'],
    ['//orders/', '//orders/'],
    ['*', '*'],
    ['', ''],
  ])('keeps %s', (path, kept) => {
    expect(redactPath(path)).toBe(kept)
  })

  it.each([
    [`/hooks/${key}`, '/hooks/REDACTED'],
    ['/orders/17', '/orders/REDACTED'],
    ['/orders/01a2008c-581b-7476-b3a4-40bf82ca347a/x', '/orders/REDACTED/x'],
    ['/password/hunter/x', '/password/REDACTED/x'],
    ['/x/N%34h7', '/x/REDACTED'],
    ['/x/QwErTy', '/x/REDACTED'],
    ['/x/abcdefghijklmnopqrstuvwxyz', '/x/REDACTED'],
    ['/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send', '/REDACTED/send'],
  ])('%s is %s', (path, redacted) => {
    expect(redactPath(path)).toBe(redacted)
  })
})

describe('a path that has exactly the segments of its template', () => {
  const literal = fc.constantFrom('orders', 'api', 'items', '')
  const variable = fc.constantFrom(':id', '{id}', ':token', '{apiKey}', ':id-x', '*rest', '**')
  const template = fc.array(fc.oneof(literal, variable), { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)
  const path = fc.array(fc.oneof(literal, fc.constantFrom('17', 'A1', 'hooks')), { maxLength: 5 })

  it('is redacted as one that has them in another case, segment by segment', () => {
    fc.assert(
      fc.property(template, path, (pattern, segments) => {
        const text = `/${segments.join('/')}`
        const inUpperCase = pattern.replaceAll(/\b(?:orders|api|items)\b/g, (word) => word.toUpperCase())
        expect(redactPath(text, pattern)).toBe(redactPath(text, inUpperCase))
      }),
    )
  })

  it.each([
    ['/orders/A1', '/orders/:id'],
    ['/A1', '/{id}'],
    ['/', '/'],
  ])('is unchanged without a secret variable: %s, %s', (text, pattern) => {
    expect(redactPath(text, pattern)).toBe(text)
  })
})
