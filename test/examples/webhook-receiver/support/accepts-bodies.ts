import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { json, sendRequest } from './http-client.ts'
import type { ServedApp } from './serve-app.ts'

type Fields = Readonly<Record<string, string>>

const formType = { 'Content-Type': 'application/x-www-form-urlencoded' }
const partsType = { 'Content-Type': 'multipart/form-data; boundary="a"' }
const part = (name: string, value: string) =>
  `--a\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--a--\r\n`

export function acceptsBodies(app: () => ServedApp): void {
  describe('accepts a body with', () => {
    it.each<[string, string | Uint8Array, Fields]>([
      ['escapes of every kind', '{"text":"\\u0061\\ud83d\\ude00\\n\\/"}', json],
      ['a name that is escaped', '{"\\u0074ext":"a😀\\n/"}', json],
      ['blanks around', ' \r\n\t{ "text" : "a😀\\n/" } \r\n', json],
      ['other members', '{"username":"ci","n":1e999,"__proto__":{"text":"b"},"text":"a😀\\n/"}', json],
      ['the same name in two objects', '{"a":{"text":"b"},"b":{"text":"c"},"text":"a😀\\n/"}', json],
      ['names with braces and quotes', '{"{\\"a\\":[":{"}":"\\\\"},"text":"a😀\\n/"}', json],
      ['a member 64 deep', `{"text":"a😀\\n/","b":${'['.repeat(63)}${']'.repeat(63)}}`, json],
      ['a charset', '{"text":"a😀\\n/"}', { 'Content-Type': 'application/json; charset=utf-8' }],
      ['a quoted charset', '{"text":"a😀\\n/"}', { 'Content-Type': 'application/json;CharSet="UTF-8"' }],
      ['a type in capitals', '{"text":"a😀\\n/"}', { 'Content-Type': 'Application/JSON' }],
      ['no type', '{"text":"a😀\\n/"}', {}],
      ['an empty type', '{"text":"a😀\\n/"}', { 'Content-Type': '' }],
      ['leading blanks and newlines', '\n\n  \r\n\t{"text":"a😀\\n/"}', json],
      ['a charset of utf8', '{"text":"a😀\\n/"}', { 'Content-Type': 'application/json;charset=utf8' }],
      ['a form', `payload=${encodeURIComponent('{"text":"a😀\\n/"}')}`, formType],
      [
        'a form with a charset',
        `payload=${encodeURIComponent('{"text":"a😀\\n/"}')}`,
        { 'Content-Type': 'Application/X-WWW-Form-URLEncoded; charset=UTF-8' },
      ],
      ['a form with plus signs', 'payload=%7B+%22text%22:+%22a%F0%9F%98%80%5Cn/%22+%7D', formType],
      ['a form that is hardly escaped', 'payload={"text":"a😀\\n/"}', formType],
      ['a form with other fields', `a=1&payload=${encodeURIComponent('{"text":"a😀\\n/"}')}&b=%FF`, formType],
      ['parts', part('text', 'a😀\n/'), partsType],
      [
        'parts of more than a text',
        part('username', 'ci').replace('--a--\r\n', '') + part('text', 'a😀\n/'),
        partsType,
      ],
      ['raw blanks in strings', '{"text":"a😀\\n/","username":"two\nlines\r\n\tand a tab"}', json],
      ['a byte order mark', '\uFEFF{"text":"a😀\\n/"}', json],
      ['a raw newline in the text', '{"text":"a😀\n/"}', json],
      ['a raw newline in a form', `payload=${encodeURIComponent('{"text":"a😀\n/"}')}`, formType],
      [
        'parts of attachments and props',
        part('text', 'a😀\n/').replace('--a--\r\n', '') +
          part('attachments', '[{"text":"b"}]').replace('--a--\r\n', '') +
          part('props', '{"c":1}'),
        partsType,
      ],
      ['a payload in parts', part('payload', '{"text":"a😀\\n/"}'), partsType],
      ['gzip', gzipSync('{"text":"a😀\\n/"}'), { ...json, 'Content-Encoding': 'gzip' }],
      ['chunks', '{"text":"a😀\\n/"}', { ...json, 'Transfer-Encoding': 'chunked' }],
    ])('%s', async (_name, body, headers) => {
      expect((await sendRequest(app().origin, { path: `/hooks/${app().key}`, headers, body })).body).toBe('ok')
      expect(await app().texts()).toEqual(['a😀\n/'])
    })
  })
}
