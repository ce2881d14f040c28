/** The error number of MySQL, MariaDB or SQL Server, or the code of MongoDB: the number in one of an error's members. */
export function numberIn(member: 'errno' | 'number' | 'code'): (error: unknown) => string | undefined {
  return (error) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, member) : undefined
    // A system's own error numbers are negative, and no answer of a server's.
    return typeof value === 'number' && value > 0 ? String(value) : undefined
  }
}

/** The first word of what Redis says, such as `WRONGTYPE`. */
export function redisStatus(error: unknown): string | undefined {
  return error instanceof Error ? /^([A-Z]{3,32}) /.exec(error.message)?.[1] : undefined
}

/** The SQLSTATE that PostgreSQL answered. */
export function sqlState(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
