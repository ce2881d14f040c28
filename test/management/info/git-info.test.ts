import { describe, expect, it } from 'vitest'
import { gitInfo } from '../../../src/management/info/git-info.ts'
import { folderWith } from '../../support/folder-with.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'
const other = 'f'.repeat(40)
const sha256 = 'a'.repeat(64)
const onMain = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${commit}\n` }

const packedRefs = [
  '# pack-refs with: peeled fully-peeled sorted',
  `${other} refs/heads/also/main`,
  `${commit} refs/heads/main`,
  `${other} refs/tags/v1`,
  `^${other}`,
].join('\n')

describe('gitInfo', () => {
  it.each([
    ['nothing', {}, {}, undefined],
    ['a branch', onMain, {}, { branch: 'main', commit: { id: commit } }],
    [
      'a branch with a slash',
      { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': commit },
      {},
      { branch: 'a/b', commit: { id: commit } },
    ],
    [
      'a branch that is packed',
      { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': packedRefs },
      {},
      { branch: 'main', commit: { id: commit } },
    ],
    [
      'a branch before its packed past',
      { ...onMain, '.git/refs/heads/main': other, '.git/packed-refs': packedRefs },
      {},
      { branch: 'main', commit: { id: other } },
    ],
    ['a detached head', { '.git/HEAD': `${commit}\n` }, {}, { commit: { id: commit } }],
    ['a commit of SHA-256', { '.git/HEAD': sha256 }, {}, { commit: { id: sha256 } }],
    ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n' }, {}, undefined],
    ['a head that is none', { '.git/HEAD': 'secret' }, {}, undefined],
    ['a reference to what is no commit', { ...onMain, '.git/refs/heads/main': 'secret' }, {}, undefined],
    ['a reference out of the folder', { '.git/HEAD': 'ref: refs/../../secret', secret: 'secret' }, {}, undefined],
    ['a .git that is a file', { '.git': 'gitdir: ../elsewhere' }, {}, undefined],
    [
      'the environment before the folder',
      onMain,
      { GIT_COMMIT: 'abc', GIT_BRANCH: 'dev' },
      { branch: 'dev', commit: { id: 'abc' } },
    ],
    ['a commit without a branch', {}, { GIT_COMMIT: 'abc' }, { commit: { id: 'abc' } }],
    [
      'a branch without a commit in the environment',
      onMain,
      { GIT_BRANCH: 'dev' },
      { branch: 'main', commit: { id: commit } },
    ],
    [
      'what GitHub sets',
      {},
      { GITHUB_SHA: commit, GITHUB_REF_NAME: 'main', GIT_COMMIT: '', GIT_BRANCH: '' },
      { branch: 'main', commit: { id: commit } },
    ],
    [
      'what GitLab sets',
      {},
      { CI_COMMIT_SHA: commit, CI_COMMIT_REF_NAME: 'main' },
      { branch: 'main', commit: { id: commit } },
    ],
  ])('reports %s', async (_, files, environment, git) => {
    const contribute = gitInfo({ directory: await folderWith(files), environment })
    expect(await contribute()).toEqual(git && { git })
  })

  it('reads once', async () => {
    const contribute = gitInfo({ directory: await folderWith(onMain), environment: {} })
    expect(await contribute()).toBe(await contribute())
  })
})
