import { wantStatus } from '../answer.ts'
import { isObject, objectOf } from '../json.ts'
import { type Trial, wantEqual, wantText } from './subject.ts'

/** Requests in absolute form, which servers MUST accept (RFC 9112 §3.2.2). */
export const targetTrials: readonly Trial[] = [
  {
    title: 'a target in absolute form is handled like its path',
    async attempt({ ask, askFor, at, port }) {
      const origin = `http://127.0.0.1:${port}`
      const answer = await askFor(`${origin}${at('/health?fields=status')}`)
      wantStatus(answer, 200)
      wantText(answer, (await ask('/health?fields=status')).text)
      wantStatus(await askFor(`${origin}${at('/none')}`), 404)
      wantStatus(await askFor(`${origin}/a/..${at('/health')}`), 200, 404)
    },
  },
  {
    title: 'links have the host of a target in absolute form',
    async attempt({ askFor, at }) {
      const answer = await askFor(`http://orders.example${at('')}`, { headers: { Host: 'orders.example' } })
      wantStatus(answer, 200)
      const { _links: links } = objectOf(answer)
      const self = { href: `http://orders.example${at('')}`, templated: false }
      wantEqual(answer, isObject(links) ? links['self'] : undefined, self)
    },
  },
]
