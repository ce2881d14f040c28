import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'

// The maximum length of `sun_path` on all systems, without the terminating zero.
const longestSocketPath = 103

/**
 * Locks a folder for this process, and returns a function that unlocks it. The lock is a listening socket in the
 * folder: unlike a file with a process id, the system releases it however the process ends.
 *
 * Each process listens first and looks for others afterwards, so of two that start at once at least one finds the
 * other.
 *
 * @throws Error if another process has locked the folder.
 */
export async function holdFolder(folder: string): Promise<() => Promise<void>> {
  // Windows has no sockets in folders.
  if (process.platform === 'win32') return async () => {}
  const marks = join(folder, 'held-by')
  await mkdir(marks, { recursive: true })
  const own = `${randomBytes(4).toString('hex')}.sock`
  const release = await listenAt(socketPath(marks, own))
  for (const other of await readdir(marks)) {
    if (other === own) continue
    if (await answersAt(socketPath(marks, other))) {
      await release()
      throw new Error(`${folder} is in use by another receiver. Stop it, or choose another folder.`)
    }
    await rm(join(marks, other), { force: true })
  }
  return release
}

function socketPath(marks: string, name: string): string {
  const absolute = join(marks, name)
  const fromHere = relative(process.cwd(), absolute)
  const shortest = fromHere.length < absolute.length ? fromHere : absolute
  if (Buffer.byteLength(shortest) > longestSocketPath) {
    throw new Error(`${marks} is too deep a path: a socket's may be ${longestSocketPath} bytes long`)
  }
  return shortest
}

async function listenAt(path: string): Promise<() => Promise<void>> {
  const server = createServer((socket) => socket.destroy())
  server.listen(path)
  await once(server, 'listening')
  server.unref()
  return async () => {
    const closed = once(server, 'close')
    server.close()
    await closed
  }
}

function answersAt(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
