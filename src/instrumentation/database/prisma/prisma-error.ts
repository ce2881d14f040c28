import { errorName } from '../../../base/settled-work.ts'

/** What is recorded of an error of Prisma. Its message has the arguments of the operation, so it is not read. */
interface PrismaError {
  /** `error.type`: the code of the database, else of Prisma, else the class. */
  readonly type: string
  /** The code of the database, such as an SQLSTATE. */
  readonly statusCode: string | undefined
  /** For spans: the class, with the codes as its message. */
  readonly recorded: Error
  /** For meters: named by the code of Prisma if it has one. */
  readonly named: Error
}

/** Returns what may be recorded of an error. Accepts any thrown value, and never throws. */
export function readPrismaError(error: unknown): PrismaError {
  const className = errorName(error)
  const code = word(member(error, 'code')) ?? word(member(error, 'errorCode'))
  const cause = member(member(member(error, 'meta'), 'driverAdapterError'), 'cause')
  const statusCode = word(member(cause, 'originalCode'))
  const codes = [code, statusCode].filter((each) => each !== undefined)
  return {
    type: statusCode ?? code ?? className,
    statusCode,
    recorded: createError(className, codes.join(', '), error),
    named: createError(code ?? className, '', undefined),
  }
}

/** Creates an error with the frames of another one. */
function createError(name: string, message: string, from: unknown): Error {
  const error = new Error(message)
  error.name = name
  error.stack = (from instanceof Error ? framesOf(from) : undefined) ?? name
  return error
}

/** Returns the stack after its message; `undefined` if it is not known where that ends. */
function framesOf(error: Error): string | undefined {
  try {
    const { message, stack = '' } = error
    const at = stack.indexOf(message)
    const frames = at < 0 ? '' : stack.slice(at + message.length).trimStart()
    return frames.startsWith('at ') ? `${errorName(error)}\n    ${frames}` : undefined
  } catch {
    return undefined
  }
}

function member(value: unknown, name: string): unknown {
  try {
    return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  } catch {
    return undefined
  }
}

function word(value: unknown): string | undefined {
  return typeof value === 'string' && /^\w{1,64}$/.test(value) ? value : undefined
}
