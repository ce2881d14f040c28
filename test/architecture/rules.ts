import type { Codebase } from './codebase.ts'
import { checkEntryPoints, checkFiles } from './files.ts'
import { checkCycles, checkLayers } from './layers.ts'
import {
  checkAdapters,
  checkComputedImports,
  checkExamples,
  checkNodeModules,
  checkPackages,
  checkPage,
} from './packages.ts'

const rules = [
  checkLayers,
  checkCycles,
  checkNodeModules,
  checkPackages,
  checkPage,
  checkAdapters,
  checkExamples,
  checkComputedImports,
  checkEntryPoints,
  checkFiles,
]

/** Returns one message per violation of the plan, each naming its file. */
export function findViolations(codebase: Codebase): readonly string[] {
  return rules.flatMap((rule) => rule(codebase))
}
