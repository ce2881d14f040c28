import { want, wantStatus } from '../../answer.ts'
import { skip } from '../../check-result.ts'
import { type Form, isObject, isTexts, jsonOf, wantForm } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { askPermitted, readJson } from './guarded.ts'

const actuator = (endpoint: string) => `Spring Boot Actuator, ${endpoint}`

/** A rule about the form of what an endpoint shows. */
function formRule(endpoint: string, says: string, form: Form): Rule {
  return {
    id: `diagnostics.${endpoint}.form`,
    says,
    section: actuator(endpoint),
    endpoint,
    shared: true,
    async check(service) {
      const { answer, value } = await readJson(service, `/${endpoint}`)
      wantForm(answer, value, form)
    },
  }
}

/** A rule about a name that an endpoint does not have. */
const unknownRule = (endpoint: string, what: string): Rule => ({
  id: `diagnostics.${endpoint}.unknown-404`,
  says: `${what} MUST be answered with 404.`,
  section: 'Errors, 404',
  endpoint,
  shared: true,
  check: async (service) => wantStatus(await askPermitted(service, `/${endpoint}/no-such-name`), 404),
})

const task = (trigger: Readonly<Record<string, Form>>): Form => ({
  runnable: { target: 'string' },
  ...trigger,
  'nextExecution?': { time: 'instant' },
  'lastExecution?': { status: 'string', time: 'instant' },
})
const interval = { initialDelay: 'number', interval: 'number' } as const
const frame = { className: 'string', methodName: 'string', 'fileName?': 'string', lineNumber: 'number' } as const
const thread = { threadId: 'number', threadName: 'string', threadState: 'string', stackTrace: [frame] } as const
const fields = { '*': ['string'] } as const
const exchange = {
  timestamp: 'instant',
  request: { method: 'string', uri: 'string', headers: fields },
  response: { status: 'number', headers: fields },
  timeTaken: 'duration',
} as const
const step = {
  id: 'number',
  name: 'string',
  'parentId?': 'number',
  tags: [{ key: 'string', value: 'string' }],
} as const

export const diagnosticFormRules: readonly Rule[] = [
  formRule('env', 'Env MUST have the property sources, each with its properties by name.', {
    activeProfiles: ['string'],
    propertySources: [{ name: 'string', properties: { '*': { 'origin?': 'string' } } }],
  }),
  unknownRule('env', 'An unknown property'),
  {
    id: 'diagnostics.httpexchanges.form',
    says: 'The exchanges MUST be a list of requests and responses, with their times and durations.',
    section: actuator('httpexchanges'),
    endpoint: 'httpexchanges',
    shared: true,
    async check(service) {
      await service.askApplication(service.settings.route ?? '/')
      const { answer, value } = await readJson(service, '/httpexchanges')
      wantForm(answer, value, { exchanges: [exchange] })
    },
  },
  formRule('mappings', 'The mappings MUST have the routes by context and by framework.', {
    contexts: { '*': { mappings: { dispatcherServlets: { '*': [{ handler: 'string', predicate: 'string' }] } } } },
  }),
  formRule('threaddump', 'The threads MUST be a list with ids, names, states and stacks.', { threads: [thread] }),
  {
    id: 'diagnostics.threaddump.text',
    says: 'A thread dump MUST be available as text.',
    section: actuator('threaddump'),
    endpoint: 'threaddump',
    shared: true,
    async check(service) {
      const answer = await askPermitted(service, '/threaddump', { headers: { Accept: 'text/plain' } })
      wantStatus(answer, 200)
      want(answer, /^Full thread dump .*:$/m.test(answer.text), 'a line that begins with Full thread dump')
    },
  },
  formRule('scheduledtasks', 'The scheduled tasks MUST be lists by kind of trigger.', {
    cron: [task({ expression: 'string' })],
    fixedDelay: [task(interval)],
    fixedRate: [task(interval)],
    custom: [task({})],
  }),
  formRule('caches', 'The caches MUST be listed by their managers.', {
    cacheManagers: { '*': { caches: { '*': { target: 'string' } } } },
  }),
  unknownRule('caches', 'An unknown cache'),
  formRule('startup', 'The timeline MUST have the steps of the start, with their times and durations.', {
    timeline: {
      startTime: 'instant',
      events: [{ startupStep: step, startTime: 'instant', endTime: 'instant', duration: 'duration' }],
    },
  }),
  {
    id: 'diagnostics.sbom.form',
    says: 'The ids of the software bills of materials MUST each lead to a JSON document.',
    section: actuator('sbom'),
    endpoint: 'sbom',
    shared: true,
    async check(service) {
      const { answer, value } = await readJson(service, '/sbom')
      const ids = isObject(value) ? value['ids'] : undefined
      want(answer, isTexts(ids), 'a member ids with strings')
      for (const id of ids) {
        const document = await askPermitted(service, `/sbom/${encodeURIComponent(id)}`)
        wantStatus(document, 200)
        want(document, isObject(jsonOf(document)), 'a JSON object')
      }
    },
  },
  unknownRule('sbom', 'An unknown software bill of materials'),
  formRule('loggers', 'The loggers MUST have their levels by name, and the groups their members.', {
    levels: ['string'],
    loggers: { '*': { effectiveLevel: 'string', 'configuredLevel?': 'string' } },
    'groups?': { '*': { members: ['string'], 'configuredLevel?': 'string' } },
  }),
  unknownRule('loggers', 'An unknown logger'),
  {
    id: 'diagnostics.loggers.stranger',
    says: 'A level MUST NOT be changed without credentials.',
    section: 'Authentication',
    endpoint: 'loggers',
    async check(service) {
      // Not a level, so that nothing changes if it is accepted.
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, content: badLevel }
      wantStatus(await service.ask('/loggers/ROOT', { ...request, stranger: true }), 401, 403)
    },
  },
  {
    id: 'diagnostics.loggers.bad-level',
    says: 'An unknown level MUST be rejected with 400.',
    section: 'Errors, 400',
    endpoint: 'loggers',
    shared: true,
    async check(service) {
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, content: badLevel }
      wantStatus(await askPermitted(service, '/loggers/ROOT', request), 400)
    },
  },
  {
    id: 'diagnostics.loggers.bad-duration',
    says: 'A temporary level of an invalid duration MUST be rejected with 400.',
    section: 'Errors, 400',
    endpoint: 'loggers',
    async check(service) {
      const { value } = await readJson(service, '/loggers/ROOT')
      const level = isObject(value) ? value['effectiveLevel'] : undefined
      if (typeof level !== 'string') skip('the logger ROOT has no level')
      const content = JSON.stringify({ configuredLevel: level, for: 'a while' })
      const request = { method: 'POST', headers: { 'Content-Type': 'application/json' }, content }
      wantStatus(await askPermitted(service, '/loggers/ROOT', request), 400)
    },
  },
  {
    id: 'diagnostics.tracing.form',
    says: 'Tracing MUST report whether it is enabled.',
    section: 'Management endpoints',
    endpoint: 'tracing',
    async check(service) {
      const { answer, value } = await readJson(service, '/tracing')
      wantForm(answer, value, { enabled: 'boolean' })
    },
  },
]

const badLevel = '{"configuredLevel":"NO-SUCH-LEVEL"}'
