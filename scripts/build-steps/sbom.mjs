// Writes dist/sbom.cdx.json: what the files of dist/ have of other packages, as CycloneDX. `npm audit` does not see it,
// because it is bundled. A step of scripts/build.mjs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** The files of dist/ that have modules of a package, by its folder in node_modules. */
const filesOf = new Map()
for (const format of ['esm', 'cjs']) {
  for (const [file, modules] of Object.entries(read(`build/modules-${format}.json`))) {
    for (const module of modules) {
      const folder = /(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(module)?.[0]
      if (folder !== undefined) filesOf.set(folder, (filesOf.get(folder) ?? new Set()).add(file))
    }
  }
}

const manifest = read('package.json')
const components = [...filesOf].sort().map(([folder, files]) => ({
  ...componentOf(read(`${folder}/package.json`)),
  properties: [...files].sort().map((value) => ({ name: 'upkeep:file', value })),
}))
const component = componentOf(manifest)
const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { component },
  components,
  dependencies: [
    { ref: component['bom-ref'], dependsOn: components.map((each) => each['bom-ref']) },
    ...components.map((each) => ({ ref: each['bom-ref'], dependsOn: [] })),
  ],
  compositions: [{ aggregate: 'complete', assemblies: [component['bom-ref']] }],
}
writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(document, undefined, 2)}\n`)

function componentOf({ name, version, license }) {
  // RFC 3986 reserves `@`, with which a scope begins.
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { type: 'library', 'bom-ref': purl, name, version, licenses: [{ license: { id: license } }], purl }
}
