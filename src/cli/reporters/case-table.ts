import type { ContractCase } from '../../entries/contract.ts'

/** Returns the cases as Markdown tables, one per area; those that also apply to a Spring Boot Actuator are marked. */
export function caseTable(cases: readonly ContractCase[], shared: readonly ContractCase[]): string {
  const both = new Set(shared.map(({ id }) => id))
  const areas = [...new Set(cases.map(({ area }) => area))]
  const row = ({ id, rule, section }: ContractCase) =>
    `| \`${id}\` | ${cell(rule)} | ${cell(section)} | ${both.has(id) ? '✓' : ''} |\n`
  return areas
    .map((area) => {
      const rows = cases.filter((one) => one.area === area).map(row)
      return `### ${area}\n\n| id | rule | from | spring |\n|---|---|---|---|\n${rows.join('')}\n`
    })
    .join('')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;')
}
