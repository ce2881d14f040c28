/** What kind of error it is, as the property `code`; docs/reference/errors.md says for each what to do. */
export type ErrorCode =
  | 'UPKEEP_EARGUMENT'
  | 'UPKEEP_ECAPTURE'
  | 'UPKEEP_ECHECK'
  | 'UPKEEP_ECLOCK'
  | 'UPKEEP_ECLUSTER'
  | 'UPKEEP_EDELIVERY'
  | 'UPKEEP_EMETER'
  | 'UPKEEP_EOPTION'
  | 'UPKEEP_EPACKAGE'
  | 'UPKEEP_EPERMISSION'
  | 'UPKEEP_ERETURN'
  | 'UPKEEP_ESTATE'
  | 'UPKEEP_EWORKERS'

/** Adds the code to an error. */
export function withErrorCode<E extends Error>(error: E, code: ErrorCode): E & { readonly code: ErrorCode } {
  return Object.assign(error, { code })
}

type Create<E extends Error> = (message: string, options?: ErrorOptions) => E

function creatorOf<E extends Error>(
  kind: new (message: string, options?: ErrorOptions) => E,
  code: ErrorCode,
): Create<E> {
  return (message, options) => withErrorCode(new kind(message, options), code)
}

/** Creates the error for an option that is unknown, or not what is expected. */
export const invalidOption: Create<TypeError> = /* @__PURE__ */ creatorOf(TypeError, 'UPKEEP_EOPTION')

/** Creates the error for an option of the expected type with a value that is not permitted. */
export const optionOutOfRange: Create<RangeError> = /* @__PURE__ */ creatorOf(RangeError, 'UPKEEP_EOPTION')

/** Creates the error for an argument that is not what a function expects. */
export const invalidArgument: Create<TypeError> = /* @__PURE__ */ creatorOf(TypeError, 'UPKEEP_EARGUMENT')

/** Creates the error for an argument of the expected type with a value that is not permitted. */
export const argumentOutOfRange: Create<RangeError> = /* @__PURE__ */ creatorOf(RangeError, 'UPKEEP_EARGUMENT')

/** Creates the error for what a function of the application returned. */
export const invalidReturn: Create<TypeError> = /* @__PURE__ */ creatorOf(TypeError, 'UPKEEP_ERETURN')

/** Creates an error about what cannot be done at this time, in this process, or on this machine. */
export function failure(code: ErrorCode, message: string, options?: ErrorOptions): Error {
  return withErrorCode(new Error(message, options), code)
}
