import type { ManagedHook } from '../hooks/managed-hooks.ts'
import { pageScript } from './page-script.ts'
import { pageStyle } from './page-style.ts'

/** A page that shows the messages of a hook as they arrive. */
export function hookPage({ id, name, enabled }: Pick<ManagedHook, 'id' | 'name' | 'enabled'>): string {
  const title = escapeHtml(name === '' ? `Hook ${id}` : name)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<h1 dir="auto">${title}</h1>
${enabled ? '' : '<p>This hook is disabled: it takes no messages.</p>\n'}<p id="state" role="status">Asking for messages.</p>
<noscript><p>Messages are shown by a script, and scripts are switched off.</p></noscript>
<ol id="messages"></ol>
<script>${pageScript}</script>
</body>
</html>
`
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML shows it, in an element or in an attribute in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')
}
