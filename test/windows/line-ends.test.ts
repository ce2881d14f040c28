import { describe, expect, it } from 'vitest'
import { findInCode } from '../../src/cli/doctor/upgrade/code-changes.ts'
import { readGitHead } from '../../src/runtime/git-head.ts'
import { folderWith } from '../support/folder-with.ts'

const commit = '50c550c2fd1b0c9a4e7f8d6b3a5c1e2f4d6b8a90'

describe('files with the line ends of Windows', () => {
  it('of git have the branch and the commit', async () => {
    const folder = await folderWith({
      '.git/HEAD': 'ref: refs/heads/main\r\n',
      '.git/refs/heads/main': `${commit}\r\n`,
    })
    expect(await readGitHead(folder, {})).toEqual({ branch: 'main', commit })
  })

  it('of packed references have the commit', async () => {
    const folder = await folderWith({
      '.git/HEAD': 'ref: refs/heads/main\r\n',
      '.git/packed-refs': [
        '# pack-refs with: peeled fully-peeled sorted',
        `${commit} refs/heads/main`,
        `${'0'.repeat(40)} refs/tags/v1`,
        '',
      ].join('\r\n'),
    })
    expect(await readGitHead(folder, {})).toEqual({ branch: 'main', commit })
  })

  it('of programs have their findings with the right line', () => {
    expect(findInCode("import {\r\n  postgres,\r\n} from 'upkeep'\r\n")).toMatchObject([{ line: 2 }])
  })
})
