import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repository } from '../support/package/packed.ts'

const surface = readFileSync(join(repository, 'api/surface.txt'), 'utf8')
// Some meters of the runtime exist from a version of Node on.
const describeHere = process.versions.node.startsWith('20.') ? describe : describe.skip

describeHere('api/surface.txt (of Node 20)', () => {
  it('has what services show, commands print and options default to; `npm run surface` writes it', () => {
    const check = join(repository, 'scripts/surface/write.mjs')
    const { stdout, stderr, status } = spawnSync(process.execPath, [check, '--check'], {
      encoding: 'utf8',
      timeout: 180_000,
    })
    expect({ stdout, stderr, status }).toEqual({ stdout: '', stderr: '', status: 0 })
  })
})

describe('scripts/surface/check-changelog.mjs', () => {
  /** Checks a repository in which the surface and the changelog have changed since the last commit. */
  function check(from: string, to: string, changelog: string) {
    const folder = mkdtempSync(join(tmpdir(), 'upkeep-test-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const git = (...args: readonly string[]) => {
      const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
      execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' })
    }
    mkdirSync(join(folder, 'api'))
    expect(surface).toContain(from)
    writeFileSync(join(folder, 'api/surface.txt'), surface)
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## [Unreleased]\n')
    git('init', '-q')
    git('add', '.')
    git('commit', '-q', '-m', 'a')
    writeFileSync(join(folder, 'api/surface.txt'), surface.replace(from, to))
    writeFileSync(
      join(folder, 'CHANGELOG.md'),
      `# Changelog\n\n## [Unreleased]\n\n${changelog}\n\n## [0.1.0]\n\n### Changed\n\n- \`db.x\`\n`,
    )
    const script = join(repository, 'scripts/surface/check-changelog.mjs')
    const { status, stdout } = spawnSync(process.execPath, [script, 'HEAD'], { cwd: folder, encoding: 'utf8' })
    return { status, stdout }
  }

  const meter = 'meter micrometer http_server_requests_seconds histogram error exception method outcome status uri\n'

  const changes: readonly (readonly [name: string, from: string, to: string, heading: string, entry: string])[] = [
    [
      'a meter that is renamed',
      'meter micrometer jvm_gc_overhead gauge\n',
      'meter micrometer gc_overhead gauge\n',
      'Changed',
      '`jvm.gc.overhead` is `gc.overhead`',
    ],
    [
      'a tag that a meter gets',
      meter,
      meter.replace('\n', ' tenant\n'),
      'Changed',
      '`http.server.requests` has the tag `tenant`',
    ],
    [
      'a field of log records that is removed',
      'log json thread string\n',
      '',
      'Removed',
      'Remove `thread` from records',
    ],
    [
      'an attribute of spans that is removed',
      'span SERVER user_agent.original\n',
      '',
      'Removed',
      'Remove `user_agent.original`',
    ],
    [
      'a default that changes',
      'default ConsoleOptions.viewers 20\n',
      'default ConsoleOptions.viewers 5\n',
      'Changed',
      '`ConsoleOptions.viewers` is 5',
    ],
    ['an option of a command that is removed', 'option top --sort\n', '', 'Removed', 'Remove `--sort`'],
    [
      'an exit code that changes',
      'exit probe The exit code is 0 for',
      'exit probe The exit code is 3 for',
      'Changed',
      '`upkeep probe` exits with 3',
    ],
    [
      'a member of a document that is added',
      'document health status string\n',
      'document health state string\ndocument health status string\n',
      'Added',
      'Add `state` to health',
    ],
    ['an error code that is removed', 'error UPKEEP_ECLOCK\n', '', 'Removed', 'Remove `UPKEEP_ECLOCK`'],
    [
      'an endpoint that is added',
      'endpoint tracing\n',
      'endpoint tracing\nendpoint queues\n',
      'Added',
      'Add the endpoint `queues`',
    ],
  ]

  it.each(changes)(
    'refuses %s, unless the changelog tells it under the right heading',
    (_name, from, to, heading, entry) => {
      const silent = check(
        from,
        to,
        '### Added\n\n- Add `something else`.\n\n### Changed\n\n- Change `something else`.',
      )
      expect(silent.status).toBe(1)
      expect(silent.stdout).toMatch(/^\d+ lines of api\/surface\.txt differ from HEAD, without an entry/m)
      const similar = entry.replaceAll(/`([^`]+)`/g, '`x$1x`')
      expect(check(from, to, `### ${heading}\n\n- ${similar}.`).status).toBe(1)
      expect(check(from, to, `### Fixed\n\n- ${entry}.`).status).toBe(1)
      expect(check(from, to, `### ${heading}\n\n- ${entry}.`)).toMatchObject({ status: 0 })
    },
  )

  it('accepts the options of a new command, which the changelog names', () => {
    const to = 'command queue\noption queue --list\nexit queue The exit code is 0.\ncommand top\n'
    expect(check('command top\n', to, '### Added\n\n- Add the command `upkeep queue`.').status).toBe(0)
    expect(check('command top\n', to, '').status).toBe(1)
  })

  it('accepts what has not changed', () => {
    expect(check(meter, meter, '')).toEqual({ status: 0, stdout: '0 changes since HEAD, each in CHANGELOG.md\n' })
  })
})
