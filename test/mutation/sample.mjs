// A checker of Stryker's that keeps a random sample of the mutants. Whether a mutant is part of it depends on the seed and
// on what it changes, and not on the other mutants: the same sample is drawn again after other code has changed.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'

const { UPKEEP_MUTANT_SHARE: share = '1', UPKEEP_MUTANT_SEED: seed = '1' } = process.env

class Sample {
  async init() {}

  async check(mutants) {
    return Object.fromEntries(
      mutants.map((mutant) => [
        mutant.id,
        isDrawn(mutant) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' },
      ]),
    )
  }
}

function isDrawn({ fileName, mutatorName, replacement, location: { start, end } }) {
  const file = relative(process.cwd(), fileName)
  const place = [start.line, start.column, end.line, end.column]
  const text = [seed, file, mutatorName, replacement, ...place].join('\n')
  return createHash('sha256').update(text).digest().readUInt32BE() < Number(share) * 2 ** 32
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', factory: () => new Sample() }]
