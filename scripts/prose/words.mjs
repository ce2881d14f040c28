// The words that the documentation, comments and messages avoid, each with what to write instead.

/** @type {readonly (readonly [pattern: RegExp, instead: string])[]} */
export const avoided = [
  [/\btells? (?:of|about|what|which|how|whether|nothing|that|apart|itself)\b/, 'reports, returns, describes, shows'],
  [/\b(?:is|are|was|were|be|been) told\b/, 'is called with, receives, is notified'],
  [/\btold (?:of|apart|what|which|by)\b/, 'called with, reported, distinguished'],
  [/\bsays? (?:so|itself|what|which|how|whether|nothing|of|by|who|when)\b/, 'states, reports, returns'],
  [/\banswers? (?:with|by) (?:a|an|the|what|its|[a-z]+(?:\(\)| promise| value))\b/, 'returns, responds with'],
  [/\bhears? of\b/, 'receives, is notified of'],
  [/\bis none\b/, 'does not exist, is missing, is not one'],
  [/\bis no (?:option|number|error|string|promise|function|object|list|JSON|module|part|place)\b/, 'is not a …'],
  [/\b(?:kept|known|heard|asked|said|seen|told|read) by nobody\b/, 'not cached, not read, …'],
  [/\bcosts? (?:itself|themselves|its own)\b/, 'only that part is omitted'],
  [/\bgoes? (?:before|first)\b/, 'takes precedence'],
  [/\bwho(?:ever|mever|soever)\b/, 'code that, callers that, the user who'],
  [/\bwhat(?:so)?ever\b/, 'any'],
  [/\bhands? on\b/, 'passes, forwards, re-exports'],
  [/\bin the place of\b/, 'instead of'],
  [/\blets? go of\b/, 'releases, removes'],
  [/\bas ever\b/, 'as before, unchanged'],
  [/\bso ever\b/, 'any'],
  [/\ba text\b(?! \w+)|\btexts\b/, 'a string, text'],
  [/\bmanners?\b/, 'semantics, conventions, way'],
  [/\b(?:house|rooms?|floors?)\b/, 'code base, module, layer'],
  [/\b(?:public |other |own )?faces?\b/, 'entry point'],
  [/\bunder ?way\b/, 'in progress, pending, active'],
  [/\bworth to\b/, 'worth …ing'],
  [/\bit is worth to\b/, 'worth …ing'],
  [/\bsomebody\b|\banybody\b|\bnobody\b/, 'a client, code, a reader; no client'],
  [/\bwhat there is\b|\bthat there is\b/, 'the existing …'],
  [/\bmost of all\b/, 'mainly'],
  [/\bshall\b/, 'must, is to'],
  [/\bupon\b/, 'on'],
]

/** The most words that a sentence may have. */
export const maxWords = 35
