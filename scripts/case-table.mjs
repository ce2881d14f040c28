/** The cases of the contract as Markdown; those that a Spring Boot Actuator has as well are marked. */
export function caseTable(cases, shared) {
  const both = new Set(shared.map(({ id }) => id))
  const areas = [...new Set(cases.map(({ area }) => area))]
  const rows = (area) =>
    cases
      .filter((one) => one.area === area)
      .map(({ id, rule, section }) => `| \`${id}\` | ${cell(rule)} | ${cell(section)} | ${both.has(id) ? '✓' : ''} |\n`)
  return `${areas.map((area) => `\n### ${area}\n\n| id | rule | from | spring |\n|---|---|---|---|\n${rows(area).join('')}`).join('')}\n`
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;')
}
