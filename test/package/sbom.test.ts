import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { built } from '../support/built.ts'
import { listenOn } from '../support/listen.ts'
import { repository } from '../support/package/packed.ts'

interface Component {
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly properties: readonly { readonly value: string }[]
}

const read = (path: string) => readFileSync(path, 'utf8')
const { components }: { readonly components: readonly Component[] } = JSON.parse(
  read(built('build/node_modules/upkeep/dist/sbom.cdx.json')),
)

describe('the software bill of materials in the package', () => {
  it('names each bundled package, which NOTICE.md has too, with its version', () => {
    const notices = [...read(join(repository, 'NOTICE.md')).matchAll(/^## (.+)$/gm)].map(([, name]) => name)
    expect(components.map(({ name }) => name).sort()).toEqual(notices.sort())
    for (const { name, version } of components)
      expect(JSON.parse(read(join(repository, 'node_modules', name, 'package.json'))).version, name).toBe(version)
  })

  it('names the files that have the code of a package', () => {
    const filesOf = (name: string) =>
      components.find((each) => each.name === name)?.properties.map(({ value }) => value) ?? []
    expect(filesOf('@modelcontextprotocol/sdk')).toEqual(['dist/cli-mcp-sdk.cjs'])
    expect(filesOf('preact').length).toBeGreaterThan(0)
    for (const { properties } of components)
      for (const { value } of properties) expect(() => built(`build/node_modules/upkeep/${value}`)).not.toThrow()
  })
})

describe('npm run advisories', () => {
  /** Asks a registry that responds in this way. */
  async function ask(status: number, body: unknown) {
    const asked: unknown[] = []
    const registry = createServer(async (req, res) => {
      const text = (await req.toArray()).join('')
      asked.push(`${req.method} ${req.url}`, JSON.parse(text))
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
    const port = await listenOn(registry)
    onTestFinished(() => void registry.close())
    const child = spawn(process.execPath, [join(repository, 'scripts/advisories.mjs')], {
      env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/` },
    })
    const [out, err, [code]] = await Promise.all([
      child.stdout.setEncoding('utf8').toArray(),
      child.stderr.setEncoding('utf8').toArray(),
      once(child, 'exit'),
    ])
    return { asked, code, out: out.join(''), err: err.join('') }
  }

  it('asks for the versions that are bundled', async () => {
    const { asked, code, out } = await ask(200, {})
    const versions = Object.fromEntries(components.map(({ name, version }) => [name, [version]]))
    expect(asked).toEqual(['POST /-/npm/v1/security/advisories/bulk', versions])
    expect([code, out]).toEqual([0, `no advisories about ${components.length} bundled packages\n`])
  })

  it('fails with an advisory, and names it', async () => {
    const advisory = {
      severity: 'high',
      title: 'Prototype pollution',
      url: 'https://a.example/1',
      vulnerable_versions: '<5',
    }
    const { code, out } = await ask(200, { zod: [advisory] })
    expect(code).toBe(1)
    expect(out).toMatch(/^high: zod \d.* \(<5\): Prototype pollution, https:\/\/a\.example\/1\n$/)
  })

  it('does not take a registry without advisories for a good one', async () => {
    const { code, err } = await ask(405, {})
    expect([code, err]).toEqual([2, 'Not checked: the registry does not tell its advisories: it responded with 405\n'])
  })
})
