import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')

/** The blocks of a language in the first chapter of CONTRIBUTING.md that describes a change. */
function blocksOf(language: string): readonly string[] {
  const [, chapter = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('## A first change')
  const [text = ''] = chapter.split('\n## ')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
}

// It installs the packages, builds and runs tests.
const minutes = { timeout: 900_000 }

it('the first change of CONTRIBUTING.md goes from a clone to a merged commit', minutes, () => {
  const folder = mkdtempSync(join(tmpdir(), 'upkeep-contributor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clone = join(folder, 'upkeep')
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' })
  execFileSync('git', ['clone', '--quiet', root, clone])
  // What is not committed yet is part of what is tested.
  const changes = execFileSync('git', ['diff', 'HEAD', '--binary'], { cwd: root, maxBuffer: 100_000_000 })
  if (changes.length > 0) execFileSync('git', ['apply', '--index', '-'], { cwd: clone, input: changes })
  const person = ['-c', 'user.name=A contributor', '-c', 'user.email=contributor@example.com']
  if (changes.length > 0) git(...person, 'commit', '--quiet', '--message', 'What is tested')
  const main = git('rev-parse', 'HEAD').trim()

  const [patch = ''] = blocksOf('diff')
  writeFileSync(join(clone, 'change.patch'), patch)
  // Without the variables of the runner of this test, which a contributor does not have.
  const { PATH, HOME, npm_config_registry, NODE_EXTRA_CA_CERTS } = process.env
  const names = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'A contributor'],
    [`GIT_${role}_EMAIL`, 'contributor@example.com'],
  ])
  const env = { PATH, HOME, npm_config_registry, NODE_EXTRA_CA_CERTS, ...Object.fromEntries(names) }
  for (const block of blocksOf('sh')) {
    const { status, stdout, stderr } = spawnSync('bash', ['-ec', block], { cwd: clone, env, encoding: 'utf8' })
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
  }

  git('checkout', '--quiet', '--detach', main)
  git('merge', '--quiet', '--ff-only', 'bind-address')
  expect(git('diff', '--name-only', main, 'HEAD').trim().split('\n')).toEqual([
    'src/lifecycle/open-server.ts',
    'test/adapters/node-listen.test.ts',
  ])
})
