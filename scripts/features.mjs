// Requests each endpoint that depends on the runtime or its permissions, in this process, and prints the responses as
// JSON: `{ "heapdump": "200", "profile": "501 Not available: …" }`. Opens no port, which would need a permission of its
// own. Usage, in the repository and after `npm run build`: node [flags] scripts/features.mjs FOLDER; in the folder are the
// files app.log and sbom.json.
import { createManagement } from 'upkeep'
import { createCaches, createScheduledTasks } from 'upkeep/instrumentation'

const [folder] = process.argv.slice(2)

/** The endpoints, and the paths that are requested. */
const paths = {
  ...{ health: 'health', info: 'info', metrics: 'metrics', prometheus: 'prometheus' },
  ...{ env: 'env', httpexchanges: 'httpexchanges', mappings: 'mappings', startup: 'startup' },
  ...{ scheduledtasks: 'scheduledtasks', caches: 'caches', logfile: 'logfile', sbom: 'sbom/application' },
  ...{ console: 'console/overview', why: 'why', threaddump: 'threaddump', heapdump: 'heapdump' },
  ...{ profile: 'profile?seconds=0.2', pprof: 'pprof/heap?seconds=0.2' },
}

const reports = []
const management = createManagement({
  expose: Object.keys(paths),
  authorize: () => ({ name: 'features' }),
  audit: () => {},
  report: (message) => reports.push(message),
  ...{ logFile: `${folder}/app.log`, sbom: { application: `${folder}/sbom.json` } },
  ...{ caches: createCaches(), scheduledTasks: createScheduledTasks() },
  // As much as the runtime has: what cannot be read is to be left out.
  info: { process: true, runtime: true, os: true, container: true, build: true, git: true },
  heapdump: { factor: 1, directory: folder },
})

const measured = {}
for (const [name, path] of Object.entries(paths)) measured[name] = await outcomeOf(path)
management.close()
// Before what the endpoints need is released.
console.log(JSON.stringify({ ...measured, reports }))
process.exit(0)

async function outcomeOf(path) {
  const target = `/management/${path}`
  const { status, body } = await management({ method: 'GET', target, headers: {}, base: '', body: () => {} })
  const text = await textOf(body)
  return status < 400 ? String(status) : `${status} ${JSON.parse(text).detail}`
}

async function textOf(body) {
  if (typeof body === 'string' || body === null) return body ?? ''
  if (body instanceof Uint8Array) return new TextDecoder().decode(body)
  let text = ''
  for await (const chunk of body) text += new TextDecoder().decode(chunk)
  return text.slice(0, 10_000)
}
