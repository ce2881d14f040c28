import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

/** A test by its file and its title, or the beginning of that. */
type Test = readonly [file: string, title: string]

/** What newcomers ran into, and the tests that repeat it. */
const facts: Readonly<Record<string, readonly Test[]>> = {
  'A1 npm install fails beside an older SDK, framework or logger': [
    ['test/newcomers/install.machine.test.ts', 'A1: resolves'],
    ['test/package/otlp.test.ts', 'reports the outdated package %s %s and the install command'],
  ],
  'A2 each request becomes two traces beside auto-instrumentations': [
    [
      'test/applications/auto-instrumentations/auto-instrumentations.application.ts',
      'a request to %s has one SERVER span, named by its route',
    ],
  ],
  'A3 a mistake in a filter ends the process': [['test/newcomers/service.test.ts', 'A3: serves and counts requests']],
  'A4 npm users find no documentation': [
    ['test/newcomers/install.test.ts', 'A4: finds the documentation'],
    ['test/package/tarball.test.ts', 'has only absolute links in the README'],
  ],
  'B5 an instance is DOWN without a reason': [['test/newcomers/service.test.ts', 'B5: reports why']],
  "B6 the bridge loses metrics of prom-client's own": [
    ['test/prometheus/prom-client-defaults.test.ts', 'are scraped completely as %s'],
    ['test/with/incumbents/prom-client.test.ts', 'the scrape has every name, type and label that it had'],
  ],
  'B7 three functions have a report each': [
    ['test/newcomers/service.test.ts', 'B7: reports errors of requests'],
    ['test/adapters/failing-reports.test.ts', 'reports to the logger of the request, with its id'],
  ],
  'B8 trace ids change the shape of every record': [
    ['test/newcomers/service.test.ts', "B8: adds trace ids to pino's records"],
    [
      'test/logging/fastify-logger.test.ts',
      'has the ids of the trace in the records of a request, and its other fields unchanged',
    ],
  ],
  'B9 each worker of a cluster has a scrape of its own': [
    ['test/examples/cluster.machine.test.ts', 'shows all workers as one, and goes on when one is killed'],
  ],
  'B10 a database that is away at the start ends the process': [
    [
      'test/examples/webhook-receiver/startup.machine.test.ts',
      'is alive and not ready, becomes ready when PostgreSQL starts',
    ],
  ],
  'B11 moduleResolution node sees no entry points': [
    ['test/package/tarball.test.ts', 'has types for moduleResolution node, which ignores exports'],
  ],
  'B12 NestJS has no guide, and no decorators': [
    ['test/with/nest/nest.test.ts', 'observes guards, pipes, filters, parsers and unknown paths'],
    ['test/with/nest/nest.test.ts', 'injects meters, and measures decorated methods'],
    ['test/with/nest/nest.test.ts', 'checks providers with @Indicator, and indicators of @nestjs/terminus'],
    ['test/with/nest/nest.test.ts', 'responds with error documents, and keeps messages of validation'],
  ],
  'B13 the contract is hard to use in a pipeline': [
    ['test/cli/preflight.test.ts', 'reports in one line that endpoints require credentials'],
    ['test/cli/contract-command.test.ts', 'writes JUnit to a file, and annotations of GitHub beside it'],
    ['test/cli/closed-output.test.ts', 'ends without an error message when its reader closes the pipe'],
    ['test/cli/probe.test.ts', 'with --wait repeats the request until it succeeds'],
    ['test/contract/tolerances.test.ts', 'holds for a service behind middleware that compresses'],
    ['test/contract/tolerances.test.ts', 'describes the expected header field in words'],
  ],
  'C14 Ctrl-C and node --watch take 5 s': [
    ['test/lifecycle/development.test.ts', 'does not wait for the delay on Ctrl-C in a terminal'],
    ['test/lifecycle/development.test.ts', 'does not wait for the delay when node --watch restarts it'],
  ],
  'C15 the quick start prints null on a port in use': [
    ['test/examples/quick-starts.test.ts', 'prints why it cannot listen on a port in use, and exits with 1'],
    ['test/newcomers/readme.machine.test.ts', 'leads from npm install to a scrape with routes'],
  ],
  'C16 telemetry that is not delivered does not name its URL': [
    ['test/newcomers/service.test.ts', 'C16: names the URL'],
  ],
  'C17 the documentation begins with another product': [
    ['test/newcomers/readme.machine.test.ts', 'shows the start without code first'],
    ['test/newcomers/install.test.ts', 'A4: finds the documentation'],
  ],
  'C18 options are not checked': [
    ['test/newcomers/mistakes.test.ts', 'C18: a mistake in an option is refused at once'],
    ['test/newcomers/service.test.ts', 'C18: waits for a check that hangs'],
    ['test/newcomers/service.test.ts', 'C18: reports a status that is not known'],
  ],
  'C19 a prefix that is the base path is doubled': [
    ['test/newcomers/service.test.ts', 'C19: serves the endpoints at /management'],
  ],
  'C20 the receiver builds at each start, and does not print its page': [
    ['test/examples/webhook-receiver/start-script.test.ts', 'builds upkeep and the receiver once'],
    ['test/examples/webhook-receiver/greeting.test.ts', 'shows a new hook, the curl that posts to it, its page'],
  ],
  'D22 names of a JVM, no buckets': [
    ['test/runtime/runtime-meters.test.ts', 'uses the prefix nodejs if configured'],
    ['test/newcomers/service.test.ts', 'D22: has buckets'],
  ],
}

it.each(Object.entries(facts))('%s: is repeated by a test', (_, tests) => {
  const missing = tests.filter(([file, title]) => !titlesOf(file).some((each) => each.startsWith(title)))
  expect(missing).toEqual([])
})

it('a title in a comment, or of a test that is skipped, is no test', () => {
  const source = `
    // it('in a comment', () => {})
    const text = 'in a text'
    it.skip('skipped', () => {})
    it.todo('planned')
    describe.skip('outer', () => it('within what is skipped', () => {}))
    it.skipIf(isOld)('runs elsewhere', () => {})
    it.each([1])('runs for %s', () => {})
    describe('group', () => test(\`runs \${once}\`, () => {}))`
  expect(titlesIn(source)).toEqual(['runs elsewhere', 'runs for %s', 'group', 'runs '])
})

function titlesOf(file: string): readonly string[] {
  return titlesIn(readFileSync(resolve(root, file), 'utf8'))
}

/** Returns the titles of the tests and groups in a source file that are run; of a template its beginning. */
function titlesIn(source: string): readonly string[] {
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const [name = '', ...modifiers] = wordsOf(node.expression)
      if (modifiers.some((word) => ['skip', 'todo', 'fails'].includes(word))) return
      const [title] = node.arguments
      if (['describe', 'it', 'test'].includes(name) && title !== undefined) titles.push(...textOf(title))
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('file.ts', source, ts.ScriptTarget.Latest))
  return titles
}

/** Returns the names of what is called: `it`, `each` of `it.each(table)(title)`. */
function wordsOf(callee: ts.Expression): readonly string[] {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee)) return [...wordsOf(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return wordsOf(callee.expression)
  return ts.isTaggedTemplateExpression(callee) ? wordsOf(callee.tag) : []
}

function textOf(title: ts.Expression): readonly string[] {
  if (ts.isStringLiteralLike(title)) return [title.text]
  return ts.isTemplateExpression(title) ? [title.head.text] : []
}
