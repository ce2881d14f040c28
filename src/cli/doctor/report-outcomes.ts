import type { Colours } from '../colours.ts'
import { printable } from '../printable.ts'
import { checkTitles, type Outcome } from './outcome.ts'

/** Returns outcomes as lines for a person: what was found, what is in order, what was not checked. */
export function outcomesAsText(outcomes: readonly Outcome[], colours: Colours): string {
  const count = (kind: Outcome['kind']) => outcomes.filter((each) => each.kind === kind).length
  const counts = `${count('finding')} found, ${count('ok')} in order, ${count('unchecked')} not checked`
  return `${outcomes.map((outcome) => line(outcome, colours)).join('\n')}\n\n${counts}\n`
}

function line(outcome: Outcome, { red, green, yellow, dim }: Colours): string {
  switch (outcome.kind) {
    case 'finding':
      return `${red(`✗ ${outcome.check}`)}: ${printable(outcome.problem)}\n    ${printable(outcome.remedy)}`
    case 'ok':
      return `${green(`✓ ${outcome.check}`)}: ${checkTitles[outcome.check]}`
    case 'unchecked':
      return `${yellow(`- ${outcome.check}`)}: ${dim(`not checked: ${printable(outcome.reason)}`)}`
  }
}

/** Returns outcomes as JSON, for programs. */
export function outcomesAsJson(outcomes: readonly Outcome[]): string {
  const found = outcomes.filter(({ kind }) => kind === 'finding').length
  return `${JSON.stringify({ found, outcomes }, undefined, 2)}\n`
}
