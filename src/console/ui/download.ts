import { request } from './session.ts'

/** Downloads a file with the credential of the page, which a link would not send. Returns its size in bytes. */
export async function download(address: string | URL, name: string): Promise<number> {
  const response = await request(address)
  const content = await response.blob()
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return content.size
}
