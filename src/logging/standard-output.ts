/**
 * Writes to the standard output, and goes on where nobody reads it any more: without a listener, the error of a pipe that
 * was closed would end the process.
 */
export function writeToStandardOutput(line: string): void {
  const stream = process.stdout
  stream.once('error', ignore)
  try {
    stream.write(line, (error) => {
      if (error && stream.listenerCount('error') === 0) stream.once('error', ignore)
    })
  } catch {
    // A log that cannot be written costs nothing but itself.
  } finally {
    stream.removeListener('error', ignore)
  }
}

function ignore(): void {}
