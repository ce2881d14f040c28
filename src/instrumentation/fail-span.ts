import { errorName } from '../base/settled-work.ts'
import type { Span } from '../tracing/span.ts'

/** Returns the `error.type` of a thrown value: its code if that is a word such as `ECONNREFUSED`, else its name. */
export function errorType(error: unknown): string {
  return codeWord(error) ?? errorName(error)
}

/** Marks a span as failed, with the code of the error if that is a word, else its name. */
export function failSpan(span: Span, error: unknown, statusCode?: string): void {
  if (span.isRecording) {
    span.setAttributes({
      'error.type': statusCode ?? errorType(error),
      'db.response.status_code': statusCode,
    })
  }
  span.fail(error)
}

function codeWord(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,64}$/.test(code) ? code : undefined
}
