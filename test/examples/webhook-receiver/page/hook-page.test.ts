import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml, hookPage } from '../../../../examples/webhook-receiver/page/hook-page.ts'

describe('hookPage', () => {
  it('holds the name of the hook as text, whatever it is', () => {
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

  it('says so when the hook is disabled, and is called by its id where it has no name', () => {
    expect(hookPage({ id: 'i', name: '', enabled: false })).toContain('takes no messages')
    expect(hookPage({ id: 'i', name: '', enabled: true })).toContain('<title>Hook i</title>')
  })
})
