// Serves the `fetch` of a built quick start by the server of the runtime: of Bun, of Deno, or of Node by
// @hono/node-server. Usage, in the repository and after `npm run build`: node scripts/serve-fetch.mjs
// build/examples/fetch.js
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { Bun, Deno } = globalThis
const { fetch } = await import(pathToFileURL(resolve(process.argv[2])))
const at = { hostname: '127.0.0.1', port: 0 }
if (Bun) console.info({ port: Bun.serve({ ...at, fetch }).port })
else if (Deno) Deno.serve({ ...at, onListen: ({ port }) => console.info({ port }) }, fetch)
else (await import('@hono/node-server')).serve({ ...at, fetch }, console.info)
