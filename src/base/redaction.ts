/** Longer text is truncated before it is searched. The search takes linear time: a few milliseconds at most. */
const maxLength = 4_000

const hidden = '***'

/** A private key in PEM, complete or truncated. */
const privateKey = /-----BEGIN[^-]*PRIVATE KEY-----[\s\S]*?(?:-----END[^-]*-----|$)/g

/** Words with dots, which may contain a JSON Web Token; see {@link hideTokens}. */
const dottedWords = /(?<![\w.-])[\w.-]{13,}/g

/** The header of a JSON Web Token at the end of a word. */
const tokenStart = /\beyJ[\w-]{8,}$/

/**
 * Access tokens and keys of GitHub, GitLab, npm, Slack, Stripe and AWS, which their prefix shows. The letter of `\n` in
 * a string that was escaped may precede it.
 */
const prefixedToken =
  /(?<!(?<!\\)[A-Za-z\d])(?:gh[oprsu]_[A-Za-z\d]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_[A-Za-z\d]{36,}|xox[a-z]-[\w-]{10,}|[rs]k_(?:live|test)_\w{10,}|AKIA[A-Z\d]{16,})/g

/** `//user:pass word`, up to the longest possible end; not a valid URL, but found in messages. Not `//host:80 …`. */
const userAndSpacedPassword = /\/\/[^\s/?#@:]*:(?!\d{1,5}(?:[\s/?#,;)\]}"'`<>.]|$))(?:(?!\w:\/\/)[^\n"'`<>])*/g

/** `//user:password` and the rest of the word. */
const userAndPassword = /\/\/[^\s/?#@:]*:\S*/g

/** `//token@`: a user name without a password may be a credential. */
const userAlone = /\/\/[^\s/?#]*@/g

/** The same, percent-encoded in a parameter of another URL, up to the longest possible end. */
const encodedUser = /%2F%2F[^\s&]*/gi

/** `user:password@host` and `user:password@tcp(host)` without a scheme, and the rest of the word. */
const bareUserAndPassword = /(?<![^\s"'`<>=(,[{])[^\s/:@"'`<>=(,[{]*:(?!\/\/)\S+/g

const secretWord =
  'pass(?:word|wd|phrase|code)?|pwd|secret|token|cookie|signature|credentials?|' +
  '(?:api|access|private|account|shared)[-_ ]?key'

/** Names that contain a secret. Their length is limited, so that the time for each start position is bounded. */
const secretName = String.raw`[\w.$-]{0,128}(?:${secretWord})[\w$-]{0,64}`

/**
 * Returns the pattern of a value in quotes, or in the braces of a connection string or an object. A quote inside is
 * doubled by some syntaxes and escaped by others. After a backslash, two quotes end the value if `follow` matches after
 * them.
 */
function enclosed(follow: string): string {
  return [
    String.raw`"(?:[^"\\]|\\""(?!${follow})|\\[\s\S]|"")*"?`,
    String.raw`'(?:[^'\\]|\\''(?!${follow})|\\[\s\S]|'')*'?`,
    String.raw`(?<escape>\\+)"(?:(?!(?<!\\)\k<escape>")[\s\S])*(?:\k<escape>")?`,
    String.raw`\x60[^\x60]*\x60?`,
    String.raw`\{[^}]*\}?`,
    String.raw`\[[^\]]*\]?`,
  ].join('|')
}

/** Values of an object, and of a connection string. */
const inObject = enclosed(String.raw`\s*(?:[,}\]]|$)`)
const inConnectionString = enclosed('$')

/** `?password=…&` of a URL. */
const secretParameter = new RegExp(String.raw`([?&]${secretName}=)[^&\s]*`, 'gi')

/** `"password": 5` of JSON. */
const secretMember = new RegExp(
  String.raw`((?<!\\)\\*["'\x60]${secretName}\\*["'\x60]\s*:\s*)(?:${inObject}|[^\s,}\]]+)`,
  'gi',
)

/** A value without quotes: up to a semicolon if there is one, otherwise up to a space. */
const unenclosed = String.raw`[^;\n]{0,512}(?=;)\S*|(?:\\[\s\S]|[^\s\\])+`

const secretKey = String.raw`(?<![\w.$?&-])${secretName}\s*`

/** `password: '…'` of an inspected object. Not `using password: YES`, a message of MySQL. */
const secretProperty = new RegExp(String.raw`(${secretKey}:\s*)(?!(?:YES|NO)\))(?:${inObject}|${unenclosed})`, 'gi')

/** `password=…` of a connection string. */
const secretAssignment = new RegExp(String.raw`(${secretKey}=\s*)(?:${inConnectionString}|${unenclosed})`, 'gi')

/** `Authorization: …` up to the end of the line or of the string that contains it. */
const authorization = /(authorization\\*["'`]?\s*[=:]\s*\\*["'`]?)[^\r\n"'`]+/gi

const authenticationScheme = /\b([Bb]earer|BEARER|[Bb]asic|BASIC)\s+(?=\S*[\dA-Z=._-])[\w.~+/=-]{8,}/g

/** Names of settings whose values are secrets; more than in text, where most words that end in `key` are names. */
const settingName = new RegExp(`${secretWord}|dsn|salt|webhook|vcap_services`, 'i')

/** Words of the name of a setting: `SIGNING_KEYS`, `auth.basic`, `keys[0]`; not `AUTHOR` or `keyboard`. */
const settingWord = /keys?(?![a-z])|auths?(?![a-z])|(?<![a-z])(?:pw|pats?)(?![a-z])/i

/** The last letter of a word that another one follows: of `signing` in `signingKey`, of `API` in `APIKey`. */
const innerEnd = /[a-z](?=[A-Z])|[A-Z](?=[A-Z][a-z])/g

/** Whether the value of a setting may be a secret, by the name of the setting. */
export function isSecretName(name: string): boolean {
  return settingName.test(name) || settingWord.test(name) || settingWord.test(name.replace(innerEnd, '$& '))
}

/**
 * Returns `text` without the credentials of connection strings, URLs, headers and settings in it. In case of doubt more
 * is hidden than necessary.
 *
 * The order matters: keys and tokens come first, because they may contain what later patterns match. URLs come before
 * assignments, because a password in a URL may contain `=`. Users without a scheme come last, because they match most.
 */
export function hideCredentials(text: string): string {
  const withoutKeys = cut(text)
    .replace(privateKey, hidden)
    .replace(dottedWords, hideTokens)
    .replace(prefixedToken, hidden)
  return hideSpacedPasswords(withoutKeys.replace(encodedUser, hideEncodedUser))
    .replace(userAndPassword, hideUser)
    .replace(userAlone, `//${hidden}@`)
    .replace(secretParameter, `$1${hidden}`)
    .replace(secretMember, `$1${hidden}`)
    .replace(secretProperty, `$1${hidden}`)
    .replace(secretAssignment, `$1${hidden}`)
    .replace(authorization, `$1${hidden}`)
    .replace(authenticationScheme, `$1 ${hidden}`)
    .replace(bareUserAndPassword, hideBareUser)
}

// These find the end of a match from behind, once: a regular expression would search for it from each possible start.

function hideTokens(words: string): string {
  if (!words.includes('eyJ')) return words
  const parts = words.split('.')
  for (let at = 0; at + 2 < parts.length; at++) {
    const part = parts[at] ?? ''
    const start = part.search(tokenStart)
    if (start < 0 || parts[at + 1] === '') continue
    parts.splice(at, 3, part.slice(0, start) + hidden)
  }
  return parts.join('.')
}

function hideEncodedUser(found: string): string {
  const end = found.lastIndexOf('%40')
  return end < 0 ? found : `%2F%2F${hidden}${found.slice(end)}`
}

function hideUser(found: string): string {
  const end = found.lastIndexOf('@')
  return end < 0 ? found : `//${hidden}${found.slice(end)}`
}

function hideBareUser(found: string): string {
  const colon = found.indexOf(':')
  for (let end = found.length - 2; end > colon + 1; end--) {
    if (found[end] === '@' && /[\w[(*]/.test(found[end + 1] ?? '')) return hidden + found.slice(end)
  }
  return found
}

/** Hides everything up to the last `@`, including the rest of the word in which it is. */
function hideSpacedPasswords(text: string): string {
  let redacted = ''
  let at = 0
  userAndSpacedPassword.lastIndex = 0
  for (let match = userAndSpacedPassword.exec(text); match !== null; match = userAndSpacedPassword.exec(text)) {
    const last = match[0].lastIndexOf('@')
    if (last < 0) continue
    const word = /^\S*/.exec(text.slice(match.index + last))?.[0] ?? ''
    redacted += `${text.slice(at, match.index)}//${hidden}@`
    at = match.index + last + word.lastIndexOf('@') + 1
    userAndSpacedPassword.lastIndex = at
  }
  return redacted + text.slice(at)
}

/** Truncates a long text before the last word: part of a connection string would not be recognized. */
function cut(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).split(' ').slice(0, -1).join(' ')} …`
}
