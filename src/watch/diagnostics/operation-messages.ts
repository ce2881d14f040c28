import { HttpError, isHttpError } from '../../http/errors/http-error.ts'
import type { InputOf, OperationName, OutputOf } from './diagnostic-operation.ts'

/** A message of the main thread to the diagnosing thread. */
export type OperationRequest =
  | {
      readonly [Name in OperationName]: {
        readonly kind: 'run'
        readonly id: number
        readonly name: Name
        readonly input: InputOf<Name>
      }
    }[OperationName]
  | { readonly kind: 'cancel'; readonly id: number }

/** A message of the diagnosing thread to the main thread. */
export type OperationResponse =
  | { readonly kind: 'done'; readonly id: number; readonly output: OutputOf<OperationName> }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: OperationFailure }

/** An error as a structured clone: that of a class would lose its class. */
interface OperationFailure {
  readonly message: string
  /** Of an HttpError. */
  readonly http: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

/** Returns an error as the message that {@link readFailure} reads. */
export function describeFailure(error: unknown): OperationFailure {
  if (!isHttpError(error)) return { message: error instanceof Error ? error.message : String(error), http: undefined }
  return { message: error.message, http: { status: error.status, headers: error.headers } }
}

/** Returns the error of an operation that failed in the diagnosing thread. */
export function readFailure({ message, http }: OperationFailure): Error {
  return http === undefined ? new Error(message) : new HttpError(http.status, message, { headers: http.headers })
}
