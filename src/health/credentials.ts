/** Text longer than this is cut before it is searched, so that a hostile message costs milliseconds at most. */
const longest = 4_000

const hidden = '***'

/** A key in PEM, as far as it goes. */
const privateKey = /-----BEGIN[^-]*PRIVATE KEY-----[\s\S]*?(?:-----END[^-]*-----|$)/g

/** A signed token of three parts, whatever stands before it. */
const jsonWebToken = /\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g

/** `//user:pass word@`, which is no URL and yet is in messages; `//host:80 …` is left to the next. */
const userAndSpacedPassword =
  /\/\/[^\s/?#@:]*:(?!\d{1,5}(?:[\s/?#,;)\]}"'`<>.]|$))(?:(?!\w:\/\/)[^\n"'`<>])*@(?:\S*@)?/g

/** `//user:password@`, whatever the password holds: up to the last `@` of the word. */
const userAndPassword = /\/\/[^\s/?#@:]*:\S*@/g

/** `//token@`: a name alone is a credential too. */
const userAlone = /\/\/[^\s/?#]*@/g

/** The same inside a parameter of another URL, where `//` is `%2F%2F` and `@` is `%40`. */
const encodedUser = /%2F%2F[^\s&]*%40/gi

/** `user:password@host` and `user:password@tcp(host)`, without a scheme. */
const bareUserAndPassword = /(?<![^\s"'`<>=(,[{])[^\s/:@"'`<>=(,[{]*:(?!\/\/)\S+@(?=[\w[(*])/g

const secretName = String.raw`[\w.$-]*(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|cookie|signature|credentials?|(?:api|access|private|account|shared)[-_ ]?key)[\w$-]*`

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
  String.raw`(\\*["'\x60]${secretName}\\*["'\x60]\s*:\s*)(?:${inObject}|[^\s,}\]]+)`,
  'gi',
)

/** Up to a space, or to a semicolon where there is one. */
const unenclosed = String.raw`[^;\n]*(?=;)\S*|(?:\\[\s\S]|[^\s\\])+`

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
  return cut(text)
    .replace(privateKey, hidden)
    .replace(jsonWebToken, hidden)
    .replace(encodedUser, `%2F%2F${hidden}%40`)
    .replace(userAndSpacedPassword, `//${hidden}@`)
    .replace(userAndPassword, `//${hidden}@`)
    .replace(userAlone, `//${hidden}@`)
    .replace(secretParameter, `$1${hidden}`)
    .replace(secretMember, `$1${hidden}`)
    .replace(secretProperty, `$1${hidden}`)
    .replace(secretAssignment, `$1${hidden}`)
    .replace(authorization, `$1${hidden}`)
    .replace(authenticationScheme, `$1 ${hidden}`)
    .replace(bareUserAndPassword, `${hidden}@`)
}

/** The first words of a long text, without the one that the cut goes through: half a connection string is not known for one. */
function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).split(' ').slice(0, -1).join(' ')} …`
}
