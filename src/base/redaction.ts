/** Text longer than this is cut before it is searched. The search takes time linear in the text: a few milliseconds at most. */
const longest = 4_000

const hidden = '***'

/** A key in PEM, as far as it goes. */
const privateKey = /-----BEGIN[^-]*PRIVATE KEY-----[\s\S]*?(?:-----END[^-]*-----|$)/g

/** Words with dots between them, among which a signed token of three parts may be; see {@link hideTokens}. */
const dottedWords = /(?<![\w.-])[\w.-]{13,}/g

/** The first part of such a token, whatever stands before it. */
const tokenStart = /\beyJ[\w-]{8,}$/

/** `//user:pass word`, which is no URL and yet is in messages, as far as it may go; `//host:80 …` is left to the next. */
const userAndSpacedPassword = /\/\/[^\s/?#@:]*:(?!\d{1,5}(?:[\s/?#,;)\]}"'`<>.]|$))(?:(?!\w:\/\/)[^\n"'`<>])*/g

/** `//user:password` and all that follows in the word. */
const userAndPassword = /\/\/[^\s/?#@:]*:\S*/g

/** `//token@`: a name alone is a credential too. */
const userAlone = /\/\/[^\s/?#]*@/g

/** The same inside a parameter of another URL, where `//` is `%2F%2F` and `@` is `%40`, as far as it may go. */
const encodedUser = /%2F%2F[^\s&]*/gi

/** `user:password@host` and `user:password@tcp(host)`, without a scheme, and all that follows in the word. */
const bareUserAndPassword = /(?<![^\s"'`<>=(,[{])[^\s/:@"'`<>=(,[{]*:(?!\/\/)\S+/g

/** The names are so long at most that trying each place in them has a bound. */
const secretName = String.raw`[\w.$-]{0,128}(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|cookie|signature|credentials?|(?:api|access|private|account|shared)[-_ ]?key)[\w$-]{0,64}`

/**
 * A value in quotes of any kind, or in the braces of a connection string or of an object. A quote inside is doubled by
 * some and escaped by others: after a backslash, two quotes are the end for those who escape, before what may `follow`.
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

/** What may follow a value of an object, and of a connection string. */
const inObject = enclosed(String.raw`\s*(?:[,}\]]|$)`)
const inConnectionString = enclosed('$')

/** `?password=…&` of a URL. */
const secretParameter = new RegExp(String.raw`([?&]${secretName}=)[^&\s]*`, 'gi')

/** `"password": 5` of JSON. */
const secretMember = new RegExp(
  String.raw`((?<!\\)\\*["'\x60]${secretName}\\*["'\x60]\s*:\s*)(?:${inObject}|[^\s,}\]]+)`,
  'gi',
)

/** Up to a space, or to a semicolon where there is one. */
const unenclosed = String.raw`[^;\n]{0,512}(?=;)\S*|(?:\\[\s\S]|[^\s\\])+`

const secretKey = String.raw`(?<![\w.$?&-])${secretName}\s*`

/** `password: '…'` of an object in words. `using password: YES` of MySQL tells nothing. */
const secretProperty = new RegExp(String.raw`(${secretKey}:\s*)(?!(?:YES|NO)\))(?:${inObject}|${unenclosed})`, 'gi')

/** `password=…` of a connection string. */
const secretAssignment = new RegExp(String.raw`(${secretKey}=\s*)(?:${inConnectionString}|${unenclosed})`, 'gi')

/** `Authorization: …` up to the end of the line or of the string that holds it. */
const authorization = /(authorization\\*["'`]?\s*[=:]\s*\\*["'`]?)[^\r\n"'`]+/gi

const authenticationScheme = /\b([Bb]earer|BEARER|[Bb]asic|BASIC)\s+(?=\S*[\dA-Z=._-])[\w.~+/=-]{8,}/g

/**
 * `text` without the credentials that connection strings, URLs, headers and settings in it carry. Where it is in doubt
 * it hides more than it must.
 */
export function hideCredentials(text: string): string {
  const withoutKeys = cut(text).replace(privateKey, hidden).replace(dottedWords, hideTokens)
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

// These look for the end of a match from behind, once: an expression would look for it again from each possible beginning.

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

/** Hides up to the last `@`, and further to the last of the word that continues there, whatever it holds. */
function hideSpacedPasswords(text: string): string {
  let shown = ''
  let at = 0
  userAndSpacedPassword.lastIndex = 0
  for (let match = userAndSpacedPassword.exec(text); match !== null; match = userAndSpacedPassword.exec(text)) {
    const last = match[0].lastIndexOf('@')
    if (last < 0) continue
    const word = /^\S*/.exec(text.slice(match.index + last))?.[0] ?? ''
    shown += `${text.slice(at, match.index)}//${hidden}@`
    at = match.index + last + word.lastIndexOf('@') + 1
    userAndSpacedPassword.lastIndex = at
  }
  return shown + text.slice(at)
}

/** The first words of a long text, without the one that the cut goes through: half a connection string is not known for one. */
function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).split(' ').slice(0, -1).join(' ')} …`
}
