import { adapt, readDocumented } from '../../support/documented.ts'

const route = 'app/management/[[...path]]/route.ts'

/** The files of the quick start of docs/start/next.md. */
export function quickStart(): Readonly<Record<string, string>> {
  const register = "application: { name: 'shop', version: '1.0.0' },"
  return {
    [route]: readDocumented('start/next.md', route),
    'instrumentation.ts': adapt(readDocumented('start/next.md', 'instrumentation.ts'), {
      [register]: `${register} shutdown: { delay: '1s' },`,
    }),
  }
}

export const token = 'let-me-in'

/** The same with the file that exports telemetry, to `OTLP_URL`; and with the console, which requires the token. */
export function withTelemetry(): Readonly<Record<string, string>> {
  return {
    ...quickStart(),
    'instrumentation.ts': readDocumented('start/next.md', 'instrumentation.ts, in place of that of the quick start'),
    'instrumentation.node.ts': adapt(readDocumented('start/next.md', 'instrumentation.node.ts'), {
      'import { instrument }': "import { bearerToken } from 'upkeep'\nimport { instrument }",
      "'prometheus'],": `'prometheus', 'console'],\n  authorize: bearerToken('${token}'),`,
      "telemetry: { url: 'http://collector:4318' }":
        "shutdown: { delay: '1s' }, telemetry: { url: process.env.OTLP_URL }",
    }),
  }
}
