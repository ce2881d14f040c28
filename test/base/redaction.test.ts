import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hideCredentials, isSecretName } from '../../src/base/redaction.ts'

describe('hideCredentials', () => {
  it.each([
    // URLs
    ['postgres://app:s3cret@db:5432/orders', 'postgres://***@db:5432/orders'],
    ['postgres://app:p%40ss%2Fw%3Ard@db/orders', 'postgres://***@db/orders'],
    ['postgres://app:p@ss@w0rd@db/orders', 'postgres://***@db/orders'],
    ['postgres://app:pa/ss?w#rd@db/orders', 'postgres://***@db/orders'],
    ['postgres://app:12345/6@db/orders', 'postgres://***@db/orders'],
    ['postgres://app:pass word@db/orders', 'postgres://***@db/orders'],
    [`postgres://app:pa"ss'w@db/orders`, 'postgres://***@db/orders'],
    ['redis://:s3cret@cache:6379/0', 'redis://***@cache:6379/0'],
    ['https://ghp_s3cret@example.org/x', 'https://***@example.org/x'],
    ['amqps://guest:guest@[::1]:5671/%2f?heartbeat=5', 'amqps://***@[::1]:5671/%2f?heartbeat=5'],
    ['mongodb://u:s3cret@a:27017,b:27017/db?replicaSet=rs', 'mongodb://***@a:27017,b:27017/db?replicaSet=rs'],
    [
      'jdbc:postgresql://db/orders?user=a&password=s3cret&ssl=true',
      'jdbc:postgresql://db/orders?user=a&password=***&ssl=true',
    ],
    ['https://x.org/?access_token=s3cret&page=2#top', 'https://x.org/?access_token=***&page=2#top'],
    ['https://x.org/?X-Amz-Signature=abcdef', 'https://x.org/?X-Amz-Signature=***'],
    ['https://p.org/?dsn=postgres%3A%2F%2Fu%3As3cret%40db&x=1', 'https://p.org/?dsn=postgres%3A%2F%2F***%40db&x=1'],
    ['could not reach "postgres://app:s3cret@db/orders" in time', 'could not reach "postgres://***@db/orders" in time'],
    ['//app:s3cret@db', '//***@db'],
    ['app:s3cret@tcp(db:3306)/orders', '***@tcp(db:3306)/orders'],
    ['dial app:s3c@ret@db:5432 failed', 'dial ***@db:5432 failed'],
    ['redis://:a@one:1 failed, then redis://:b c@two:2', 'redis://***@one:1 failed, then redis://***@two:2'],
    ['redis://:a@one:1,redis://:b@two:2', 'redis://***@two:2'],
    // connection strings of keys and values
    ['host=db password=s3cret dbname=orders', 'host=db password=*** dbname=orders'],
    ['host=db password = s3cret dbname=orders', 'host=db password = *** dbname=orders'],
    [String.raw`password='it\'s s3cret' host=db`, 'password=*** host=db'],
    [`password='it''s s3cret' host=db`, 'password=*** host=db'],
    [String.raw`password=s3\ cret host=db`, 'password=*** host=db'],
    ['password=s3;cret host=db', 'password=*** host=db'],
    ['Server=db;User Id=app;Password=s3 cret;Timeout=5', 'Server=db;User Id=app;Password=***'],
    ['Server=db;Pwd={s3;cr}et};', 'Server=db;Pwd=***et};'],
    ['Password="s3;""cret";Server=db', 'Password=***;Server=db'],
    ['AccountName=x;AccountKey=c2VjcmV0==;EndpointSuffix=y', 'AccountName=x;AccountKey=***'],
    ['PGPASSWORD=s3cret psql', 'PGPASSWORD=*** psql'],
    ['MYSQL_PWD=s3cret', 'MYSQL_PWD=***'],
    ['AWS_SECRET_ACCESS_KEY=s3cret', 'AWS_SECRET_ACCESS_KEY=***'],
    // objects
    ['{"host":"db","password":"s3\\"cret","port":1}', '{"host":"db","password":***,"port":1}'],
    ['{"pin":1,"passcode":1234,"port":1}', '{"pin":1,"passcode":***,"port":1}'],
    [String.raw`{\"password\":\"s3 cret\",\"port\":1}`, String.raw`{\"password\":***,\"port\":1}`],
    ["{ host: 'db', password: 's3 cret', port: 1 }", "{ host: 'db', password: ***, port: 1 }"],
    ['{"credentials":{"user":"a","pass":"s3cret"},"port":1}', '{"credentials":***,"port":1}'],
    ['{"tokens":["s3cret","0ther"],"port":1}', '{"tokens":***,"port":1}'],
    ['apiKey: s3cret', 'apiKey: ***'],
    // headers
    ['Authorization: Bearer s3cret', 'Authorization: ***'],
    ['proxy-authorization: Basic dTpw\r\nhost: x', 'proxy-authorization: ***\r\nhost: x'],
    ['{"authorization":"Digest username=u, response=r"}', '{"authorization":"***"}'],
    ['sent Bearer abc.def-1234 to it', 'sent Bearer *** to it'],
    ['sent basic QWxhZGRpbjpv= to it', 'sent basic *** to it'],
    ['X-Api-Key: s3cret', 'X-Api-Key: ***'],
    ['Set-Cookie: session=s3cret; Path=/', 'Set-Cookie: *** Path=/'],
    ['token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl expired', 'token *** expired'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- is no key', '*** is no key'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '***'],
    // access tokens that their prefix shows
    [`ghp_${'aB3'.repeat(12)}`, '***'],
    [`use gho_${'aB3'.repeat(12)}, or not`, 'use ***, or not'],
    [`{"use":"a\\nghs_${'aB3'.repeat(12)}"}`, '{"use":"a\\n***"}'],
    [`github_pat_${'aB3_'.repeat(20)}`, '***'],
    [`glpat-${'aB-'.repeat(7)}`, '***'],
    [`npm_${'aB3'.repeat(12)}`, '***'],
    [`xoxb-${'123-'.repeat(5)}abc`, '***'],
    [`sk_${'live'}_${'aB3'.repeat(8)}`, '***'],
    [`AKIA${'IOSF'.repeat(4)}`, '***'],
  ])('makes %j %j', (text, expected) => {
    expect(hideCredentials(text)).toBe(expected)
  })

  it.each([
    '',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'getaddrinfo ENOTFOUND db.internal',
    'password authentication failed for user "app"',
    "Access denied for user 'app'@'localhost' (using password: YES)",
    "Access denied for user 'app'@'localhost' (using password: NO)",
    'WRONGPASS invalid username-password pair or user is disabled.',
    'NOAUTH Authentication required.',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
    'Basic authentication failed',
    'bearer token expired',
    'https://example.org:8443/health?page=2#top',
    'http://[::1]:8080/x and http://10.0.0.1:80',
    'http://10.0.0.1:80 does not answer, ask ops@example.org',
    'relation "tokens" does not exist',
    'npm_package_config_orders_regions_and_more',
    'task_live_something_long, AKIA and ghp_x',
    'Connection error: read ECONNRESET 2026-11-21T12:00:00.000Z',
  ])('leaves %j as it is', (text) => {
    expect(hideCredentials(text)).toBe(text)
  })

  it('is idempotent', () => {
    const once = hideCredentials('postgres://app:s3cret@db password=s3cret {"token":"s3cret"} app:s3cret@db')

    expect(once).toBe('postgres://***@db password=*** {"token":***} ***@db')
    expect(hideCredentials(once)).toBe(once)
  })

  it('truncates a long string between words, so that no part of a credential remains', () => {
    const before = 'x '.repeat(1_990)
    const hidden = hideCredentials(`${before}postgres://app:s3cret-and-quite-long@db`)

    expect(hidden).toBe(`${before}…`)
    expect(hideCredentials('x'.repeat(5_000))).toBe(' …')
  })

  it.each(['/', '//', '//a:', 'pass', 'pass=', '"', '\\"', 'a:b@', '%2F%2F', 'eyJ', '-----BEGIN ', ' \n', '[{'])(
    'takes a text of nothing but %j in its stride',
    (piece) => {
      expect(hideCredentials(piece.repeat(20_000 / piece.length)).length).toBeLessThanOrEqual(20_000)
    },
  )

  // Not a part of what stands around it, and not empty.
  const secret = (unit: fc.Arbitrary<string>) =>
    fc.string({ unit, minLength: 6, maxLength: 30 }).map((text) => `q${text}9Z`)
  const printable = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 })
  const visible = printable.filter((character) => character !== ' ')

  it.each<[string, fc.Arbitrary<string>, (password: string) => string]>([
    ['a URL', printable, (password) => `postgres://app:${encodeURIComponent(password)}@db:5432/orders`],
    ['a URL that is not encoded', visible, (password) => `postgres://app:${password}@db:5432/orders`],
    ['a URL in quotes', visible, (password) => `see "postgres://app:${password}@db:5432/orders"`],
    [
      'a URL with spaces',
      printable,
      (password) => `postgres://app:${password.replaceAll(/["'`<>]/g, '')}@db:5432/orders`,
    ],
    ['a parameter', printable, (password) => `https://x.org/?a=b&password=${encodeURIComponent(password)}&c=d`],
    [
      'an encoded URL',
      printable,
      (password) => `?u=${encodeURIComponent(`redis://:${encodeURIComponent(password)}@db`)}`,
    ],
    ['libpq', printable, (password) => `host=db password='${password.replaceAll(/['\\]/g, '\\$&')}' dbname=x`],
    ['libpq without quotes', visible, (password) => `password=${password.replaceAll(/['"`{[\\]/g, '\\$&')} dbname=x`],
    ['ADO', printable, (password) => `Server=db;Password="${password.replaceAll('"', '""')}";Timeout=5`],
    [
      'ADO in single quotes',
      printable,
      (password) => `Server=db;Password='${password.replaceAll("'", "''")}';Timeout=5`,
    ],
    ['JSON', printable, (password) => JSON.stringify({ host: 'db', password, port: 1 })],
    ['JSON in JSON', printable, (password) => JSON.stringify(JSON.stringify({ host: 'db', password, port: 1 }))],
    ['an inspected object', printable, (password) => inspect({ host: 'db', password, port: 1 })],
    ['a header', printable, (password) => `authorization: Bearer ${password}`.replaceAll(/["'`]/g, '')],
  ])('hides whatever password there is in %s', (_, unit, embed) => {
    fc.assert(
      fc.property(secret(unit), (password) => {
        const hidden = hideCredentials(embed(password))
        for (const form of [password, encodeURIComponent(password), JSON.stringify(password).slice(1, -1)]) {
          expect(hidden).not.toContain(form)
        }
        expect(hidden).not.toContain(password.slice(-6))
        expect(hidden).not.toContain(password.slice(0, 6))
      }),
      { numRuns: 500 },
    )
  })
})

describe('isSecretName', () => {
  it.each([
    'APP_KEYS',
    'SIGNING_KEYS',
    'SIGNING_KEY_1',
    'SIGNINGKEY',
    'ENCRYPTION_KEY_BASE64',
    'REDIS_AUTH_0',
    'REDISAUTH',
    'GITHUB_PAT',
    'githubPat',
    'pats[0]',
    'DB_PW',
    'DB_PWD',
    'dbPw1',
    'signingKey[0]',
    'encryptionKey.current',
    'encryptionkey.current',
    'APIKey',
    'appKEYs',
    'auth.basic',
    'auths.example',
    'keys[0]',
    'key-file',
    'publicKey',
    'primaryKey',
    'password',
    'awsSecret',
  ])('is true of %s', (name) => {
    expect(isSecretName(name)).toBe(true)
  })

  it.each([
    'AUTHOR',
    'npm_package_author_name',
    'authority',
    'KEYBOARD',
    'keyboard.layout',
    'keyspace',
    'KEYSPACE_NAME',
    'npm_package_keywords_0',
    'path',
    'PATH',
    'modulePath',
    'pattern',
    'PATTERN_1',
    'patch',
    'expat',
    'pwsh',
  ])('is false of %s', (name) => {
    expect(isSecretName(name)).toBe(false)
  })
})
