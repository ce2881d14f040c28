/** A request body sent as JSON, and whether it is valid. */
export interface HostileBody {
  readonly name: string
  readonly body: string | Uint8Array
  readonly isJson: boolean
}

const bytes = (...values: readonly (number | string)[]) =>
  Buffer.concat(values.map((value) => (typeof value === 'string' ? Buffer.from(value) : Buffer.of(value))))
const bad = (name: string, body: string | Uint8Array): HostileBody => ({ name, body, isJson: false })
const good = (name: string, body: string | Uint8Array): HostileBody => ({ name, body, isJson: true })

/** Invalid, deeply nested, duplicated and unusual bodies, all far below the size limit. */
export const hostileBodies: readonly HostileBody[] = [
  bad('nothing', ''),
  bad('blanks', ' \t\r\n'),
  bad('half an object', '{"a":'),
  bad('half a text', '"a'),
  bad('a comma too many', '{"a":1,}'),
  bad('two values', '{}{}'),
  bad('a comment', '{/* a */}'),
  bad('single quotes', "{'a':1}"),
  bad('a name without quotes', '{a:1}'),
  bad('NaN', 'NaN'),
  bad('infinity', '-Infinity'),
  bad('hexadecimal', '0x10'),
  bad('a leading zero', '01'),
  bad('a plus', '+1'),
  bad('undefined', 'undefined'),
  bad('a control character in a text', '"a\u0000b"'),
  bad('a line break in a text', '"a\nb"'),
  bad('an escape that is none', '"\\x41"'),
  bad('an escape that breaks off', '"\\u12"'),
  bad('a byte that no UTF-8 has', bytes('"', 0xff, '"')),
  bad('an overlong slash', bytes('"', 0xc0, 0xaf, '"')),
  bad('an overlong NUL', bytes('"', 0xc0, 0x80, '"')),
  bad('a surrogate in UTF-8', bytes('"', 0xed, 0xa0, 0x80, '"')),
  bad('a character beyond Unicode', bytes('"', 0xf4, 0x90, 0x80, 0x80, '"')),
  bad('a character that breaks off', bytes('"', 0xe2, 0x82, '"')),
  bad('UTF-16', bytes(0xff, 0xfe, '{', 0, '}', 0)),
  bad('gzip', bytes(0x1f, 0x8b, 8, 0)),
  bad('a form', 'payload=%7B%7D'),
  bad('XML', '<a/>'),
  bad('a name twice', '{"a":1,"a":2}'),
  bad('a name twice, once escaped', '{"a":1,"\\u0061":2}'),
  bad('a name twice, deep inside', '[{"b":{"a":1,"c":{},"a":2}}]'),
  bad('__proto__ twice', '{"__proto__":1,"__proto__":2}'),
  bad('lists 65 deep', '['.repeat(65) + ']'.repeat(65)),
  bad('lists 400 deep', '['.repeat(400) + ']'.repeat(400)),
  bad('lists that are not closed', '['.repeat(900)),
  bad('objects 65 deep', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`),
  good('lists 64 deep', '['.repeat(64) + ']'.repeat(64)),
  good('null', 'null'),
  good('false', 'false'),
  good('a number beyond all', '1e400'),
  good('a number with many digits', '1'.repeat(500)),
  good('a byte order mark', '\ufeff{}'),
  good('blanks around', ' \n{} \t'),
  good('the same name in two objects', '[{"a":1},{"a":1}]'),
  good('a name that is a text elsewhere', '{"a":"a","b":["a","a"]}'),
  good('names that end with a backslash', '{"a\\\\":1,"a":2}'),
  good('names of quotes', '{"\\"":1,"\\"\\"":2}'),
  good('brackets in a text', '{"a":"[[[[{{{{","b":"}}}}"}'),
  good('a lone surrogate', '"\\ud800"'),
  good('__proto__', '{"__proto__":{"a":1}}'),
  good('constructor', '{"constructor":{"prototype":{"a":1}}}'),
  good('an empty name', '{"":1}'),
  good('emoji', '"👩‍👩‍👧‍👦 ☂"'),
  good('right to left', '"\\u202eabc"'),
  good('NUL, escaped', '"\\u0000"'),
]
