import { type Answer, want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { isObject, type JsonObject, objectOf } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'

const section = 'Conventions for endpoints, partial response'

/** Requests a selection of a health report, whose members are known. */
async function selected(
  service: Service,
  query: string,
): Promise<{ readonly answer: Answer; readonly part: JsonObject }> {
  const answer = await service.ask(`/health?${query}`)
  wantStatus(answer, 200)
  return { answer, part: objectOf(answer) }
}

/** A rule on the remaining members, as far as the whole report has them. */
function leaves(id: string, says: string, query: string, wanted: readonly string[]): Rule {
  return {
    id: `conventions.fields.${id}`,
    says,
    section,
    async check(service) {
      const { part: whole } = await selected(service, '')
      const { answer, part } = await selected(service, query)
      const names = wanted.filter((name) => name in whole)
      want(answer, Object.keys(part).sort().join() === names.join(), `the members ${names.join(', ') || '(none)'} only`)
    },
  }
}

export const fieldRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ needs: ['health'] }, [
  leaves('one', 'The query parameter fields MUST limit a response to the named fields.', 'fields=status', ['status']),
  leaves('several', 'Several fields MUST be selectable at once.', 'fields=groups,status', ['groups', 'status']),
  leaves('repeated', 'Repeated parameters fields MUST add up.', 'fields=groups&fields=status', ['groups', 'status']),
  leaves('unknown', 'An unknown field MUST NOT be an error.', 'fields=no-such-field', []),
  {
    id: 'conventions.fields.nested',
    says: 'Nested fields MUST be selectable by parentheses.',
    section,
    needs: ['info'],
    async check(service) {
      const whole = objectOf(await service.ask('/info'))
      const [outer, value] = Object.entries(whole).find(([name, one]) => isObject(one) && /^\w+$/.test(name)) ?? []
      const inner = isObject(value) ? Object.keys(value).find((name) => /^\w+$/.test(name)) : undefined
      if (outer === undefined || inner === undefined) skip('info has no object with members')
      const answer = await service.ask(`/info?fields=${outer}(${inner})`)
      const part = objectOf(answer)[outer]
      want(answer, isObject(part) && Object.keys(part).join() === inner, `${outer} with ${inner} only`)
    },
  },
  {
    id: 'conventions.fields.length',
    says: 'The Content-Length of a partial response MUST be its own.',
    section: 'RFC 9110 §8.6',
    async check(service) {
      const { answer } = await selected(service, 'fields=status')
      const length = answer.fields.get('content-length')
      want(
        answer,
        length === String(answer.bytes.length) && answer.surplus === 0,
        `Content-Length: ${answer.bytes.length}`,
      )
    },
  },
  ...[
    ['unclosed', 'fields=status('],
    ['unopened', 'fields=status)'],
    ['empty', 'fields='],
  ].map(
    ([id, query]): Rule => ({
      id: `conventions.fields.${id}-400`,
      says: `A selection that is ${id} MUST be rejected with 400.`,
      section: 'Errors, 400',
      check: async (service) => wantStatus(await service.ask(`/health?${query}`), 400),
    }),
  ),
])
