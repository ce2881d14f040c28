import type { ManagedHook } from '../hooks/managed-hooks.ts'
import { escapeHtml, htmlPage } from './html-page.ts'

/** How many hooks the page lists. */
export const maxShown = 1_000

type Listed = Pick<ManagedHook, 'id' | 'name' | 'enabled'>

/** Returns a page that lists hooks, in the order in which they were created. */
export function hooksPage(hooks: readonly Listed[], total: number): string {
  const items = hooks.map(({ id, name, enabled }) => {
    const title = escapeHtml(name === '' ? `Hook ${id}` : name)
    return `<li><a href="/hooks/${escapeHtml(id)}" dir="auto">${title}</a>${enabled ? '' : ' (disabled)'}</li>`
  })
  const rest = total - hooks.length
  return htmlPage(
    'Hooks',
    `<h1>Hooks</h1>
<ol>
${items.join('\n')}
</ol>
${rest > 0 ? `<p>${rest} more are listed by <code>GET /hooks</code> as JSON.</p>` : ''}
<p>Create one by <code>POST /hooks</code>.</p>`,
  )
}
