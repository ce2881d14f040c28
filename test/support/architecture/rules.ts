import { checkFaces, checkFiles } from './files.ts'
import { checkCircles, checkFloors } from './floors.ts'
import type { House } from './house.ts'
import { checkAdapters, checkComputedImports, checkExamples, checkNodeModules, checkPackages } from './packages.ts'

const rules = [
  checkFloors,
  checkCircles,
  checkNodeModules,
  checkPackages,
  checkAdapters,
  checkExamples,
  checkComputedImports,
  checkFaces,
  checkFiles,
]

/** Every way in which the house breaks its plan, each naming the file; empty for a house that holds. */
export function findViolations(house: House): readonly string[] {
  return rules.flatMap((rule) => rule(house))
}
