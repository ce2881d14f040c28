// Writes the plan of the modules (test/architecture/plan.ts) into docs/concepts/architecture.md. Usage: node
// scripts/draw-plan.mjs
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(import.meta.dirname, '..')
const page = resolve(root, 'docs/concepts/architecture.md')
// Node 20 cannot import TypeScript.
const { outputText } = ts.transpileModule(readFileSync(resolve(root, 'test/architecture/plan.ts'), 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
})
const { drawPlan } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`)
const markers = /(<!-- plan -->\n)[\s\S]*?(\n<!-- \/plan -->)/
writeFileSync(
  page,
  readFileSync(page, 'utf8').replace(markers, (_, before, after) => before + drawPlan() + after),
)
