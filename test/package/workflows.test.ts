import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { repository } from '../support/package/packed.ts'

const folder = join(repository, '.github/workflows')
const files = readdirSync(folder)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

describe.each(files)('the workflow %s', (file) => {
  it('uses actions by the digest of a named version', () => {
    const used = [...read(file).matchAll(/uses: (.*)/g)].map(([, action = '']) => action)
    expect(used.length).toBeGreaterThan(2)
    const loose = used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))
    expect(loose.filter((action) => !action.startsWith('./.github/workflows/'))).toEqual([])
  })

  it('may read the repository, and no job may write to it', () => {
    const { permissions, jobs } = parse(read(file))
    expect([{}, { contents: 'read' }]).toContainEqual(permissions)
    for (const [name, job] of Object.entries<{ permissions?: Record<string, string> }>(jobs)) {
      const { 'id-token': token, ...others } = job.permissions ?? permissions
      expect(others, name).toEqual({ contents: 'read' })
      // Whoever has it can publish.
      if (token !== undefined) expect(job).toMatchObject({ environment: 'npm' })
    }
  })

  it('names files by paths that npm does not take for repositories', () => {
    const published = [...read(file).matchAll(/npm publish .* (\S+)$/gm)].map(([, path = '']) => path)
    expect(published.filter((path) => !path.startsWith('./'))).toEqual([])
    if (file === 'release.yml') expect(published).toHaveLength(2)
  })

  it('runs scripts of this repository, without data of events in them', () => {
    const scripts = [...read(file).matchAll(/run: (.*)/g)].map(([, script = '']) => script)
    expect(scripts.filter((script) => /\$\{\{|curl|wget/.test(script))).toEqual([])
  })
})

describe('scripts/check-release.mjs', () => {
  /** Checks a tag of a repository whose version is 1.2.3. */
  function check(tag: string, { changelog = '## [1.2.3] - 2026-12-01', signed = true } = {}) {
    const copy = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    const git = (args: readonly string[], input?: string) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        ...{ cwd: copy, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'] as const },
        ...(input === undefined ? {} : { input }),
      }).trim()
    mkdirSync(join(copy, 'scripts'))
    cpSync(join(repository, 'scripts/check-release.mjs'), join(copy, 'scripts/check-release.mjs'))
    writeFileSync(join(copy, 'package.json'), '{"version":"1.2.3","type":"module"}')
    writeFileSync(join(copy, 'CHANGELOG.md'), `# Changelog\n\n${changelog}\n`)
    git(['init', '-q'])
    git(['commit', '-q', '--allow-empty', '-m', 'a'])
    const signature = signed ? '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n' : ''
    const head = git(['rev-parse', 'HEAD'])
    const object = `object ${head}\ntype commit\ntag v1.2.3\ntagger a <a@example.com> 1 +0000\n\nv1.2.3\n`
    git(['update-ref', 'refs/tags/v1.2.3', git(['hash-object', '-t', 'tag', '-w', '--stdin'], object + signature)])
    const { status, stderr } = spawnSync(process.execPath, ['scripts/check-release.mjs'], {
      cwd: copy,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GITHUB_REF_NAME: tag },
    })
    return { status, stderr }
  }

  it('accepts a signed tag of the version, which the changelog describes', () => {
    expect(check('v1.2.3')).toEqual({ status: 0, stderr: '' })
  })

  it.each([
    [
      'a tag of another version',
      () => check('v1.2.4'),
      /^expected the tag v1\.2\.3, which package\.json has, received v1\.2\.4\n/,
    ],
    [
      'a version without a date in the changelog',
      () => check('v1.2.3', { changelog: '## [Unreleased]' }),
      /\[1\.2\.3\] with a date/,
    ],
    ['a tag without a signature', () => check('v1.2.3', { signed: false }), /^expected that v1\.2\.3 is signed\n$/],
    ['no tag', () => check(''), /received none/],
  ])('refuses %s', (_name, run, message) => {
    const { status, stderr } = run()
    expect(status).toBe(1)
    expect(stderr).toMatch(message)
  })
})
