import { deflateSync, gzipSync } from 'node:zlib'

/** A request to a hook that must be refused. */
export interface HostileRequest {
  readonly body: string | Uint8Array
  readonly status: number
  /** @default { 'Content-Type': 'application/json' } */
  readonly headers?: Readonly<Record<string, string>>
  /** What the error document's `detail` says. */
  readonly expectedDetail?: RegExp
}

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.from([value]))))
const textOf = (...values: readonly (number | string)[]) => bytes('{"text":"', ...values, '"}')
const refused = (status: number, expectedDetail: RegExp, bodies: Readonly<Record<string, string | Uint8Array>>) =>
  Object.entries(bodies).map(([name, body]): [string, HostileRequest] => [name, { body, status, expectedDetail }])
const headed = (
  status: number,
  expectedDetail: RegExp | undefined,
  cases: Readonly<Record<string, readonly [Fields, Body]>>,
) =>
  Object.entries(cases).map(([name, [headers, body]]): [string, HostileRequest] => [
    name,
    { headers, body, status, ...(expectedDetail && { expectedDetail }) },
  ])
const good = '{"text":"a"}'
const typed = (type: string) => [{ 'Content-Type': type }, good] as const
const form = (body: string) => [{ 'Content-Type': 'application/x-www-form-urlencoded' }, body] as const
const textPart = (name: string, value: string) =>
  `--a\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--a--\r\n`
const parts = (body: string, encoding: BufferEncoding = 'utf8') =>
  [{ 'Content-Type': 'multipart/form-data; boundary=a' }, Buffer.from(body, encoding)] as const
const encoded = (encoding: string) => ({ 'Content-Type': 'application/json', 'Content-Encoding': encoding })

const whole = Buffer.from('{"text":"a😀","attachments":[{"text":"b"}],"props":{"n":-1.5e3}}')

type Fields = Readonly<Record<string, string>>
type Body = string | Uint8Array

export const hostileRequests: ReadonlyMap<string, HostileRequest> = new Map([
  ...refused(400, /empty/, { 'no body': '', 'only blanks': ' \r\n\t ' }),
  ...refused(400, /must be JSON/, {
    'an opened object': '{',
    'a closed object': '}',
    'a cut object': '{"text":"a"',
    'a cut string': '{"text":"a',
    'a cut escape': '{"text":"\\u00',
    'a comma too many': '{"text":"a",}',
    'a comma too few': '{"a":1 "text":"a"}',
    'a value too few': '{"text":}',
    'a name without quotes': '{text:"a"}',
    'single quotes': "{'text':'a'}",
    'a brace too many': '{"text":"a"}}',
    'two objects': '{"text":"a"}{"text":"b"}',
    'an object a line': '{"text":"a"}\n{"text":"b"}',
    'a raw newline behind a backslash': '{"text":"a\\\nb"}',
    'a raw backspace in a string': '{"text":"a\bb"}',
    'raw newlines in a cut string': '{"text":"a\n\nb',
    'a raw NUL in a string': '{"text":"a\0b"}',
    'a NUL behind': '{"text":"a"}\0',
    'an unknown escape': '{"text":"\\x41"}',
    'a line comment': '{"text":"a"} // a',
    'a block comment': '/* a */{"text":"a"}',
    NaN: '{"text":"a","n":NaN}',
    Infinity: '{"text":"a","n":-Infinity}',
    undefined: '{"text":undefined}',
    'a hexadecimal number': '{"text":"a","n":0x10}',
    'a leading zero': '{"text":"a","n":01}',
    'a leading plus': '{"text":"a","n":+1}',
    True: '{"text":"a","b":True}',
    'a template string': '{"text":`a`}',
    'a form': 'payload=%7B%22text%22%3A%22a%22%7D',
    XML: '<text>a</text>',
    YAML: 'text: a\n',
    'a no-break space in front': '\u00A0{"text":"a"}',
    '30,000 opened arrays': '['.repeat(30_000),
  }),
  ...refused(400, /must be a JSON object/, {
    null: 'null',
    true: 'true',
    'a number': '1',
    'a number beyond doubles': '1e999',
    'a string': '"text"',
    'an empty array': '[]',
    'an array of a message': '[{"text":"a"}]',
  }),
  ...refused(400, /"text" is missing/, {
    'no member': '{}',
    'another case': '{"Text":"a"}',
    'a blank in the name': '{"text ":"a"}',
    'a text one below': '{"message":{"text":"a"}}',
    'a text in __proto__': '{"__proto__":{"text":"a"}}',
    'a text in constructor.prototype': '{"constructor":{"prototype":{"text":"a"}}}',
  }),
  ...refused(400, /"text" must be a string/, {
    'a text of null': '{"text":null}',
    'a text of true': '{"text":true}',
    'a text of 1': '{"text":1}',
    'a text of an array': '{"text":["a"]}',
    'a text of an object': '{"text":{"text":"a"}}',
    'a text with a toString': '{"text":{"toString":"a","length":1}}',
  }),
  ...refused(400, /"text" holds U\+0000 at \d/, {
    'an escaped NUL': '{"text":"a\\u0000b"}',
    'nothing but a NUL': '{"text":"\\u0000"}',
  }),
  ...refused(400, /"text" holds half of a surrogate pair at \d/, {
    'a lone high surrogate': '{"text":"a\\ud83db"}',
    'a lone low surrogate': '{"text":"a\\ude00b"}',
    'a pair the wrong way round': '{"text":"\\ude00\\ud83d"}',
    'a high surrogate at the end': '{"text":"😀\\ud83d"}',
    'a high surrogate twice': '{"text":"\\ud83d\\ud83d\\ude00"}',
  }),
  ...refused(400, /must be UTF-8|not valid UTF-8/, {
    'a byte that never stands in UTF-8': textOf(0xff),
    'Latin-1': textOf('caf', 0xe9),
    'a continuation byte alone': textOf(0x80),
    'a lead byte alone': textOf(0xc3, '('),
    'an overlong slash': textOf(0xc0, 0xaf),
    'an overlong NUL': textOf(0xc0, 0x80),
    'an overlong quote': textOf(0xe0, 0x80, 0xa2),
    'an encoded surrogate': textOf(0xed, 0xa0, 0x80),
    'a pair of encoded surrogates': textOf(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80),
    'beyond the last code point': textOf(0xf4, 0x90, 0x80, 0x80),
    'a cut emoji': textOf(0xf0, 0x9f, 0x98),
    'a cut emoji at the end': bytes('{"text":"', 0xf0, 0x9f),
    'UTF-16 with its mark': bytes(0xff, 0xfe, Buffer.from(good, 'utf16le').toString('latin1')),
    'a wrong byte in another member': bytes('{"text":"a","b":"', 0xff, '"}'),
    'a wrong byte in a name': bytes('{"text":"a","', 0xff, '":1}'),
  }),
  ...refused(400, /must be JSON/, { 'UTF-16 without its mark': Buffer.from(good, 'utf16le') }),
  ...refused(400, /Duplicate name "text"/, {
    'two texts': '{"text":"a","text":"b"}',
    'the same text twice': '{"text":"a","text":"a"}',
    'one text escaped': '{"text":"a","\\u0074ext":"b"}',
    'a second text that is none': '{"text":"a","text":null}',
  }),
  ...refused(400, /Duplicate name "a"/, {
    'another name twice': '{"a":1,"text":"a","a":2}',
    'a name twice far below': '{"text":"a","b":[{"c":{"a":1,"a":2}}]}',
  }),
  ...refused(400, /nesting depth of 64/, {
    'a member 65 deep': `{"text":"a","b":${'['.repeat(64)}${']'.repeat(64)}}`,
    '30,000 arrays': `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '9,000 objects': `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
  }),
  ...refused(413, /larger than 65536 bytes/, {
    'one byte over 64 KiB': JSON.stringify({ text: 'a'.repeat(65_526) }),
    'blanks over 64 KiB': good + ' '.repeat(65_536),
    'a megabyte': JSON.stringify({ text: 'a'.repeat(1_000_000) }),
  }),
  ...headed(413, /larger than 65536 bytes/, {
    'a bomb: 10 MB in 10 kB': [encoded('gzip'), gzipSync(JSON.stringify({ text: 'a'.repeat(10_000_000) }))],
    'over 64 KiB in chunks': [
      { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
      JSON.stringify({ text: 'a'.repeat(70_000) }),
    ],
  }),
  ...headed(400, undefined, {
    'gzip that is none': [encoded('gzip'), good],
    'gzip that is cut': [encoded('gzip'), gzipSync(good).subarray(0, 20)],
    'gzip with a wrong checksum': [encoded('gzip'), Buffer.concat([gzipSync(good).subarray(0, -8), Buffer.alloc(8)])],
    'deflate that is none': [encoded('deflate'), good],
    'brotli that is none': [encoded('br'), good],
    'broken JSON in gzip': [encoded('gzip'), gzipSync('{"text":')],
  }),
  ...headed(400, /"payload" once/, {
    'a form without its field': typed('application/x-www-form-urlencoded'),
    'a form with its field twice': form('payload=%7B%22text%22%3A%22a%22%7D&payload=%7B%22text%22%3A%22b%22%7D'),
    'a form with another field': form('text=a'),
  }),
  ...headed(400, /must be JSON/, {
    'a form that is not escaped': form('payload={"text":"é & x"}'),
    'a form that is escaped twice': form('payload=%257B%2522text%2522%253A%2522a%2522%257D'),
    'a form whose field is cut': form('payload=%7B%22text%22'),
    'a percent sign alone in a form': form('payload=%7B%22text%22%3A%22a%22%7D%'),
  }),
  ...headed(400, /must be UTF-8|not valid UTF-8/, {
    'a byte of no UTF-8 in a form': form('payload=%7B%22text%22%3A%22%FF%22%7D'),
    'an overlong slash in a form': form('payload=%7B%22text%22%3A%22%C0%AF%22%7D'),
    'an encoded surrogate in a form': form('payload=%7B%22text%22%3A%22%ED%A0%80%22%7D'),
    'Latin-1 in a part': parts(textPart('text', 'caf\xe9'), 'latin1'),
  }),
  ...headed(400, /is empty; expected JSON/, { 'a form with an empty field': form('payload=') }),
  ...headed(400, /must be the multipart form/, {
    'parts that are none': typed('multipart/form-data; boundary=a'),
    'parts without a boundary': typed('multipart/form-data'),
    'parts that are cut': parts(textPart('text', 'a').slice(0, -6)),
    'parts with another boundary': [{ 'Content-Type': 'multipart/form-data; boundary=b' }, textPart('text', 'a')],
  }),
  ...headed(400, /must be text, not a file/, {
    'a file for a text': parts(
      '--a\r\nContent-Disposition: form-data; name="text"; filename="a"\r\n\r\na\r\n--a--\r\n',
    ),
    'a file for a payload': parts(
      '--a\r\nContent-Disposition: form-data; name="payload"; filename="a.json"\r\n\r\n{"text":"a"}\r\n--a--\r\n',
    ),
  }),
  ...headed(400, /the part "attachments" must be valid JSON/i, {
    'a part of attachments that is no JSON': parts(textPart('attachments', '[{')),
    'a part of attachments with a name twice': parts(textPart('attachments', '[{"text":"a","text":"b"}]')),
  }),
  ...headed(400, /"attachments" must be an array of objects/, {
    'a part of attachments that is an object': parts(
      textPart('text', 'a').replace('--a--\r\n', '') + textPart('attachments', '{}'),
    ),
  }),
  ...headed(400, /"text" is missing/, { 'parts without a text': parts(textPart('username', 'ci')) }),
  ...refused(400, /"text" is empty/, {
    'an empty text': '{"text":""}',
    'an empty text and no attachments': '{"text":"","attachments":[]}',
    'an empty text and attachments of null': '{"text":"","attachments":null}',
  }),
  ...refused(400, /"attachments" must be an array of objects/, {
    'attachments of an object': '{"text":"a","attachments":{"text":"b"}}',
    'attachments of a string': '{"text":"a","attachments":"b"}',
    'attachments of 1': '{"text":"a","attachments":1}',
  }),
  ...refused(400, /"attachments\[\d\]" must be an object/, {
    'an attachment of a string': '{"attachments":["a"]}',
    'an attachment of null': '{"attachments":[{"text":"a"},null]}',
    'an attachment of an array': '{"attachments":[[]]}',
  }),
  ...refused(400, /"attachments\[0\]\.(text|title|color|fields|actions)(\[0\])?" must be/, {
    'an attachment with a text of 1': '{"attachments":[{"text":1}]}',
    'an attachment with a title of an object': '{"attachments":[{"title":{}}]}',
    'an attachment with a color of true': '{"attachments":[{"color":true}]}',
    'an attachment with fields of a string': '{"attachments":[{"fields":"a"}]}',
    'an attachment with a field of a string': '{"attachments":[{"fields":["a"]}]}',
    'an attachment with actions of an object': '{"attachments":[{"actions":{}}]}',
  }),
  ...refused(400, /more than 100/, {
    '101 attachments': JSON.stringify({ attachments: Array.from({ length: 101 }, () => ({ text: 'a' })) }),
  }),
  ...refused(400, /"(username|channel|icon_url|icon_emoji)" must be a string/, {
    'a username of 1': '{"text":"a","username":1}',
    'a username of an object': '{"text":"a","username":{"name":"ci"}}',
    'a channel of an array': '{"text":"a","channel":["town-square"]}',
    'an icon_url of true': '{"text":"a","icon_url":true}',
    'an icon_emoji of an object': '{"text":"a","icon_emoji":{}}',
  }),
  ...refused(400, /"icon_url" must be an http or https address/, {
    'an icon_url that runs': '{"text":"a","icon_url":"javascript:alert(1)"}',
    'an icon_url of data': '{"text":"a","icon_url":"data:text/html,a"}',
    'an icon_url of a file': '{"text":"a","icon_url":"file:///etc/passwd"}',
    'an icon_url without a scheme': '{"text":"a","icon_url":"example.org/a.png"}',
    'an icon_url of a blank': '{"text":"a","icon_url":" "}',
  }),
  ...refused(400, /"username" is longer than 2048/, {
    'a username of 2,049 characters': JSON.stringify({ text: 'a', username: 'a'.repeat(2_049) }),
  }),
  ...refused(400, /"props" must be an object/, {
    'props of a string': '{"text":"a","props":"b"}',
    'props of an array': '{"text":"a","props":[]}',
    'props of 1': '{"text":"a","props":1}',
  }),
  ...refused(400, /holds U\+0000/, {
    'a NUL in a username': '{"text":"a","username":"a\\u0000"}',
    'a NUL in an attachment': '{"attachments":[{"text":"a\\u0000"}]}',
    'a NUL in a field of an attachment': '{"attachments":[{"fields":[{"title":"a","value":"\\u0000"}]}]}',
    'a NUL in a name in props': '{"text":"a","props":{"a\\u0000":1}}',
    'a NUL far below in props': '{"text":"a","props":{"a":[{"b":"\\u0000"}]}}',
  }),
  ...refused(400, /half of a surrogate pair/, {
    'a lone surrogate in a channel': '{"text":"a","channel":"\\ud83d"}',
    'a lone surrogate in an icon_url': '{"text":"a","icon_url":"https://example.org/\\ud83d"}',
    'a lone surrogate in an attachment': '{"attachments":[{"title":"\\ude00"}]}',
    'a lone surrogate in a name in props': '{"text":"a","props":{"\\ud83d":1}}',
  }),
  ...refused(400, /number too large/, {
    'a number beyond doubles in props': '{"text":"a","props":{"n":1e999}}',
    'a number beyond doubles in an attachment': '{"attachments":[{"n":-1e999}]}',
  }),
  ...headed(415, /content encoding/, {
    'an unknown encoding': [encoded('rot13'), good],
    'two encodings': [encoded('gzip, deflate'), deflateSync(gzipSync(good))],
  }),
  ...headed(415, /must be application\/json/, {
    'plain text': typed('text/plain'),
    'XML by its type': typed('application/xml'),
    bytes: typed('application/octet-stream'),
    'a type that begins like JSON': typed('application/jsonx'),
    'a type in the JSON family': typed('application/json-patch+json'),
    'text/json': typed('text/json'),
    'half a type': typed('json'),
    'any type': typed('*/*'),
    'two types': typed('text/plain, application/json'),
    'JSON in UTF-16': typed('application/json; charset=utf-16'),
    'JSON in Latin-1': typed('application/json; charset=iso-8859-1'),
    'a type of 8,000 characters': typed(`application/${'a'.repeat(8_000)}`),
  }),
  // Cut after each byte, in the middle of characters too.
  ...Array.from({ length: whole.length - 1 }, (_, at): [string, HostileRequest] => [
    `a message that is cut after ${at + 1} bytes`,
    { body: whole.subarray(0, at + 1), status: 400 },
  ]),
  // The first and the last byte that continue a character, alone, and those that stand in no UTF-8 at all.
  ...[0x80, 0xbf, 0xc0, 0xc1, 0xf5, 0xff].map((byte): [string, HostileRequest] => [
    `the byte 0x${byte.toString(16)} alone in a text`,
    { body: textOf('a', byte, 'b'), status: 400, expectedDetail: /must be UTF-8|not valid UTF-8/ },
  ]),
])
