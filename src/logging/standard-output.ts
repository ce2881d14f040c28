/**
 * Writes to the standard output. Ignores errors, such as that of a closed pipe, which would end the process without a
 * listener.
 */
export function writeToStandardOutput(line: string): void {
  const stream = process.stdout
  stream.once('error', ignore)
  try {
    stream.write(line, (error) => {
      if (error && stream.listenerCount('error') === 0) stream.once('error', ignore)
    })
  } catch {
    // The log cannot be written; the service continues.
  } finally {
    stream.removeListener('error', ignore)
  }
}

function ignore(): void {}
