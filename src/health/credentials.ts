/** Text longer than this is cut before it is searched, so that a hostile message costs milliseconds at most. */
const longest = 4_000

const hidden = '***'

/** `//user:password@`, whatever the password holds: up to the last `@` of the word. */
const userAndPassword = /\/\/[^\s/?#@:"'`<>]*:[^\s"'`<>]*@/g

/** `//token@`: a name alone is a credential too. */
const userAlone = /\/\/[^\s/?#"'`<>]*@/g

/** The same inside a parameter of another URL, where `://` is `%3A%2F%2F` and `@` is `%40`. */
const encodedUser = /%2F%2F[^\s&;"'`<>]*%40/gi

/** `user:password@host` and `user:password@tcp(host)` without a scheme. */
const bareUserAndPassword = /(?<![^\s"'`<>=(,[{])[^\s/:@"'`<>=(,[{]*:[^\s"'`<>@]+@(?=[\w[(])/g

const secretName = String.raw`[\w.$-]*(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|(?:api|access|private|account|shared)[-_ ]?key)[\w$-]*`

const quotedValue = String.raw`"(?:[^"\\]|\\.|"")*"?|'(?:[^'\\]|\\.|'')*'?|\x60[^\x60]*\x60?|\{[^}]*\}?`

/** `?password=…&` of a URL. */
const secretParameter = new RegExp(String.raw`([?&]${secretName}=)[^&#\s"'\x60<>]*`, 'gi')

/** `password=…` of a connection string up to `;` or a space, `"password": "…"` of JSON, `password: '…'` of an object. */
const secretAssignment = new RegExp(
  String.raw`((?<![\w.$?&-])["'\x60]?${secretName}["'\x60]?\s*[=:]\s*)(?:${quotedValue}|[^;\n]*(?=;)|(?:\\.|[^\s\\])+)`,
  'gi',
)

/** `Authorization: …` up to the end of the line or of the string that holds it. */
const authorization = /((?:proxy-)?authorization["'`]?\s*[=:]\s*["'`]?)[^\r\n"'`]+/gi

const bearer = /\b(Bearer|Basic)\s+(?=[^\s]*[\dA-Z=._-])[\w.~+/=-]{8,}/g

/**
 * `text` without the credentials that connection strings, URLs, headers and settings in it carry. Where it is in doubt
 * it hides more than it must.
 */
export function hideCredentials(text: string): string {
  return cut(text)
    .replace(encodedUser, `%2F%2F${hidden}%40`)
    .replace(userAndPassword, `//${hidden}@`)
    .replace(userAlone, `//${hidden}@`)
    .replace(secretParameter, `$1${hidden}`)
    .replace(secretAssignment, `$1${hidden}`)
    .replace(authorization, `$1${hidden}`)
    .replace(bearer, `$1 ${hidden}`)
    .replace(bareUserAndPassword, `${hidden}@`)
}

/** The first part of a long text, without its last word: half a connection string is not known for one. */
function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/\S*$/, '')}…`
}
