import { want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import type { JsonObject } from '../../json.ts'
import { type Rule, rulesWith } from '../../rule.ts'
import type { Asking, Service } from '../../service.ts'
import { addressOf, componentsOf, hasDetails, reportAt } from './report-tree.ts'

const section = 'Authentication'

/** The following rules are about details for authorized callers only. */
function personal({ settings: { details } }: Service): void {
  if (details !== 'when-authorized') skip(`details are shown to ${details === 'never' ? 'nobody' : 'everyone'}`)
}

/** The following rules are about details of components, of which there may be none. */
async function needsDetails(service: Service, report: JsonObject): Promise<void> {
  const paths = [...componentsOf(report)].map(([path]) => addressOf(path))
  // Without components the caller may be taken for another one.
  if (paths.length === 0 || hasDetails(report)) return
  for (const path of paths) if (/"details"/.test((await service.ask(path)).text)) return
  skip('no component has details')
}

async function seesNone(service: Service, path: string, asking: Asking): Promise<void> {
  const { answer, report } = await reportAt(service, path, asking)
  want(answer, !hasDetails(report), 'a report without details')
}

/** Paths that show details to an authorized caller. */
async function detailed(service: Service): Promise<readonly string[]> {
  const { report } = await reportAt(service)
  const paths = [...componentsOf(report)].flatMap(([path, component]) =>
    'details' in component ? [addressOf(path)] : [],
  )
  return paths.length > 0 ? paths : skip('no component shows details')
}

export const healthDetailRules: readonly Rule[] = /* @__PURE__ */ rulesWith(
  { needs: ['health', 'authorization'], shared: true },
  [
    {
      id: 'health.details.authorized',
      says: 'An authorized caller MUST see details.',
      section,
      async check(service) {
        personal(service)
        const { answer, report } = await reportAt(service)
        await needsDetails(service, report)
        want(
          answer,
          hasDetails(report),
          'a report with details of some component; if nobody sees them, --details never',
        )
      },
    },
    {
      id: 'health.details.stranger',
      says: 'An unauthorized caller MUST NOT see details.',
      section,
      async check(service) {
        personal(service)
        await seesNone(service, '/health', { stranger: true })
      },
    },
    {
      id: 'health.details.wrong-token',
      says: 'An invalid token MUST NOT show more than no token.',
      section,
      shared: false,
      async check(service) {
        personal(service)
        const wrong = `${service.settings.authorization?.slice(0, -1)}~`
        for (const Authorization of [wrong, 'Bearer x', 'Bearer', 'Bearer ']) {
          await seesNone(service, '/health', { headers: { Authorization } })
        }
      },
    },
    {
      id: 'health.details.wrong-scheme',
      says: 'A token with another scheme MUST NOT show details.',
      section: 'RFC 9110 §11.4',
      shared: false,
      async check(service) {
        personal(service)
        const token = service.settings.authorization?.replace(/^\S+ +/, '') ?? ''
        for (const Authorization of [token, `Token ${token}`])
          await seesNone(service, '/health', { headers: { Authorization } })
      },
    },
    {
      id: 'health.details.token-in-query',
      says: 'A token in the query SHOULD NOT be accepted: URLs are logged.',
      section: 'RFC 6750 §5.3',
      async check(service) {
        personal(service)
        const token = encodeURIComponent(service.settings.authorization?.replace(/^\S+ +/, '') ?? '')
        await seesNone(service, `/health?access_token=${token}&token=${token}`, { stranger: true })
      },
    },
    {
      id: 'health.details.component-authorized',
      says: 'A component’s URL MUST show details to an authorized caller.',
      section,
      async check(service) {
        personal(service)
        for (const path of await detailed(service)) {
          const { answer, report } = await reportAt(service, path)
          want(answer, hasDetails(report), 'a report with details')
        }
      },
    },
    {
      id: 'health.details.component-stranger',
      says: 'A component’s URL MUST NOT show details to anyone else.',
      section,
      async check(service) {
        personal(service)
        for (const path of await detailed(service)) {
          const answer = await service.ask(path, { stranger: true })
          want(answer, answer.status === 404 || !/"details"/.test(answer.text), 'a report without details, or 404')
        }
      },
    },
    {
      id: 'health.details.hidden-404',
      says: 'A component hidden from the caller MUST be answered with 404.',
      section,
      async check(service) {
        const { report } = await reportAt(service)
        const { report: shown } = await reportAt(service, '/health', { stranger: true })
        const [path] = [...componentsOf(report)].map(([one]) => one)
        if (path === undefined || 'components' in shown) skip('components are shown to everyone')
        wantStatus(await service.ask(addressOf(path), { stranger: true }), 404)
      },
    },
    {
      id: 'health.details.not-kept',
      says: 'Details shown to one caller MUST NOT reach the next one.',
      section,
      async check(service) {
        personal(service)
        for (let turn = 0; turn < 3; turn++) {
          await reportAt(service)
          await seesNone(service, '/health', { stranger: true })
        }
      },
    },
    {
      id: 'health.details.not-mixed',
      says: 'Concurrent callers MUST each see their own view.',
      section,
      async check(service) {
        personal(service)
        await needsDetails(service, (await reportAt(service)).report)
        await Promise.all(
          Array.from({ length: 10 }, async (_, turn) => {
            const stranger = turn % 2 === 1
            const { answer, report } = await reportAt(service, '/health', { stranger })
            want(
              answer,
              hasDetails(report) !== stranger,
              stranger ? 'a report without details' : 'a report with details',
            )
          }),
        )
      },
    },
    {
      id: 'health.details.same-status',
      says: 'The status MUST NOT depend on the caller.',
      section: 'Health report',
      async check(service) {
        const { report } = await reportAt(service)
        const { answer, report: shown } = await reportAt(service, '/health', { stranger: true })
        want(answer, shown['status'] === report['status'], `status ${report['status']}, as for an authorized caller`)
      },
    },
    {
      id: 'health.details.never',
      says: 'Details that are never shown MUST NOT be shown to authorized callers either.',
      section,
      needs: ['health'],
      async check(service) {
        const { details } = service.settings
        if (details !== 'never')
          skip('details are shown to someone, or it is unknown to whom: pass the option details (--details)')
        await seesNone(service, '/health', {})
      },
    },
  ],
)
