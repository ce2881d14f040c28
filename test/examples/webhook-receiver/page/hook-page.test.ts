import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hookPage } from '../../../../examples/webhook-receiver/page/hook-page.ts'
import { hooksPage } from '../../../../examples/webhook-receiver/page/hooks-page.ts'
import { escapeHtml } from '../../../../examples/webhook-receiver/page/html-page.ts'

describe('hookPage', () => {
  it('escapes the name of the hook', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(escapeHtml(name)).not.toMatch(/[<>"']/)
        expect(escapeHtml(name).replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
      }),
    )
    const page = hookPage({ id: 'i', name: '</title><script>alert(1)</script>', enabled: true })
    expect(page).toContain('<h1 dir="auto">&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h1>')
    expect(page.match(/<script>/g)).toHaveLength(1)
  })

  it('states that a hook is disabled, and shows the id of a hook without a name', () => {
    expect(hookPage({ id: 'i', name: '', enabled: false })).toContain('takes no messages')
    expect(hookPage({ id: 'i', name: '', enabled: true })).toContain('<title>Hook i</title>')
  })
})

describe('hooksPage', () => {
  const hook = { id: 'i', name: '', enabled: true }

  it('links to each hook by its name, or else by its id', () => {
    const page = hooksPage([{ ...hook, name: '<b>' }, hook, { ...hook, name: 'off', enabled: false }], 3)
    expect(page.match(/<li>.*/g)).toEqual([
      '<li><a href="/hooks/i" dir="auto">&lt;b&gt;</a></li>',
      '<li><a href="/hooks/i" dir="auto">Hook i</a></li>',
      '<li><a href="/hooks/i" dir="auto">off</a> (disabled)</li>',
    ])
    expect(page).not.toContain('more are listed')
  })

  it('shows the number of hooks that it does not list', () => {
    expect(hooksPage([hook], 5)).toContain('4 more are listed')
  })
})
