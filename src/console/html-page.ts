/// <reference path="./page-files.d.ts" />
import { lazy } from '../base/lazy.ts'
import { script, style } from './ui/main.tsx?page-files'

/** A file of the page, whose name contains a hash of its content. */
interface PageFile {
  readonly name: string
  readonly mediaType: string
  /** The content, compressed with gzip. */
  readonly gzip: Uint8Array
  readonly content: () => Uint8Array
}

/** Returns the files of the page: the same for every service. */
export const pageFiles: () => { readonly script: PageFile; readonly style: PageFile } = /* @__PURE__ */ lazy(() => ({
  script: createFile(`console.${script.hash}.js`, 'text/javascript; charset=utf-8', script.gzip),
  style: createFile(`console.${style.hash}.css`, 'text/css; charset=utf-8', style.gzip),
}))

/** What the page may load and do: nothing of other origins, no inline code, no frame around it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "frame-ancestors 'none'; form-action 'none'; base-uri 'none'; " +
    "require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Returns the page, which contains nothing of the service. `assets` is where its files are, as a relative or absolute path. */
export function renderPage(assets: string): string {
  const folder = assets.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/${pageFiles().style.name}">
<script type="module" src="${folder}/${pageFiles().script.name}"></script>
<div id="app"><p>Loading…</p><noscript>The console requires JavaScript.</noscript></div>
</html>
`
}

function createFile(name: string, mediaType: string, base64: string): PageFile {
  const gzip = Buffer.from(base64, 'base64')
  const content = lazy(() => process.getBuiltinModule('node:zlib').gunzipSync(gzip))
  return { name, mediaType, gzip, content }
}
