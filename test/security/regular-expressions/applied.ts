import { hideCredentials, isSecretName } from '../../../src/base/redaction.ts'
import { shapeOf } from '../../../src/console/why/log-shapes.ts'
import { parseMediaType } from '../../../src/http/fields/media-type.ts'
import { sqlSummary, sqlText } from '../../../src/instrumentation/database/sql/sql-span.ts'

/** The regular expressions of a file, proven by way of the function that applies them. */
export interface Applied {
  readonly file: string
  /** How many there are that `peers` does not list. */
  readonly count: number
  readonly work: (text: string) => unknown
  readonly samples: readonly string[]
}

/** Those that are composed at run time, and those that only see a text of limited length. */
export const applied: readonly Applied[] = [
  {
    file: 'src/console/why/log-shapes.ts',
    count: 1,
    work: shapeOf,
    samples: ['order 17 of "Ada" at 10.0.0.7:5432', `'`, 'abc-def'],
  },
  {
    file: 'src/http/fields/media-type.ts',
    count: 2,
    work: parseMediaType,
    samples: ['text/plain ; charset="utf\\-8"; q=1'],
  },
  {
    file: 'src/instrumentation/database/sql/sql-span.ts',
    count: 1,
    work: (text) => sqlSummary('SELECT', sqlText(text, 'mysql')),
    samples: ['SELECT `a``b` FROM "c""d".[e] /* f */ WHERE g = 1.5 -- h'],
  },
  {
    file: 'src/health/indicators/redis.ts',
    count: 1,
    work: (text) => /^redis_version:(\S+)/m.test(text),
    samples: ['# Server\nredis_version:7.0.15\n'],
  },
  {
    file: 'src/base/redaction.ts',
    count: 20,
    work: (text) => [hideCredentials(text), isSecretName(text)],
    samples: [
      `//a:b c@d password="e""f" {"token":'g'}`,
      'x.eyJhbGciOi.a.b Basic h0 ?pwd=i',
      '%2F%2Fa%40b=c:d@e',
      'ghp_a github_pat_b xoxb-c sk_live_d AKIAE',
      'signingKey[0] AUTH_PW_PATs.monkeys',
    ],
  },
]
