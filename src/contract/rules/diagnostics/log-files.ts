import { type Answer, fieldOf, want, wantFieldLike, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Service } from '../../service.ts'
import { askPermitted } from './guarded.ts'

async function askRange(service: Service, range: string): Promise<Answer> {
  const answer = await askPermitted(service, '/logfile', { headers: { Range: range } })
  return answer.status === 404 ? skip('there is no log file') : answer
}

export const logFileRules: readonly Rule[] = /* @__PURE__ */ rulesWith({ endpoint: 'logfile', shared: true }, [
  {
    id: 'diagnostics.logfile.range',
    says: 'A part of the log file MUST be sent with 206, its position and no other bytes.',
    section: 'RFC 9110 §15.3.7',
    async check(service) {
      const answer = await askRange(service, 'bytes=0-9')
      if (answer.status === 416) skip('the log file is empty')
      wantStatus(answer, 206)
      wantFieldLike(answer, 'Content-Range', /^bytes 0-\d\/\d+$/, 'bytes 0-9/ and the size')
      const [, last] = /^bytes 0-(\d)\//.exec(fieldOf(answer, 'Content-Range')) ?? []
      want(answer, answer.bytes.length === Number(last) + 1, 'as many bytes as Content-Range has')
    },
  },
  {
    id: 'diagnostics.logfile.suffix',
    says: 'The last bytes of the log file MUST be sent for a range from the end.',
    section: 'RFC 9110 §14.1.2',
    async check(service) {
      const answer = await askRange(service, 'bytes=-5')
      if (answer.status === 416) skip('the log file is empty')
      wantStatus(answer, 206)
      want(answer, answer.bytes.length <= 5, 'at most 5 bytes')
      const [, last, size] = /^bytes \d+-(\d+)\/(\d+)$/.exec(fieldOf(answer, 'Content-Range')) ?? []
      want(answer, last !== undefined && Number(last) === Number(size) - 1, 'a Content-Range that ends with the file')
    },
  },
  {
    id: 'diagnostics.logfile.unsatisfiable',
    says: 'A range behind the end of the log file MUST be rejected with 416 and the size.',
    section: 'RFC 9110 §15.5.17',
    async check(service) {
      const answer = await askRange(service, 'bytes=99999999999999-')
      wantStatus(answer, 416)
      wantFieldLike(answer, 'Content-Range', /^bytes \*\/\d+$/, 'bytes */ and the size')
    },
  },
])
