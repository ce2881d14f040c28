/** Returns the error number of MySQL, MariaDB or SQL Server, or the code of MongoDB, from a member of the error. */
export function numberIn(member: 'errno' | 'number' | 'code'): (error: unknown) => string | undefined {
  return (error) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, member) : undefined
    // Operating-system error numbers are negative.
    return typeof value === 'number' && value > 0 ? String(value) : undefined
  }
}

/** Returns the first word of a Redis error, such as `WRONGTYPE`. */
export function redisStatus(error: unknown): string | undefined {
  return error instanceof Error ? /^([A-Z]{3,32}) /.exec(error.message)?.[1] : undefined
}

/** Returns the SQLSTATE of a PostgreSQL error. */
export function sqlState(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}
