import type { ManagedHook } from '../hooks/managed-hooks.ts'
import { escapeHtml, htmlPage } from './html-page.ts'
import { pageScript } from './page-script.ts'

/** Returns a page that shows the messages of a hook as they arrive. */
export function hookPage({ id, name, enabled }: Pick<ManagedHook, 'id' | 'name' | 'enabled'>): string {
  const title = escapeHtml(name === '' ? `Hook ${id}` : name)
  return htmlPage(
    title,
    `<p><a href="/hooks">All hooks</a></p>
<h1 dir="auto">${title}</h1>
${enabled ? '' : '<p>This hook is disabled: it takes no messages.</p>'}
<p id="state" role="status">Loading messages.</p>
<noscript><p>Messages are shown by a script, and scripts are switched off.</p></noscript>
<ol id="messages"></ol>
<script>${pageScript}</script>`,
  )
}
