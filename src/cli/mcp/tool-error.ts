/** Why a tool has no answer, and what to do. The message contains no text of a service. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
}
