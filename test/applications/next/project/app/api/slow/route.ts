import { setTimeout as wait } from 'node:timers/promises'

export async function GET() {
  await wait(2_000)
  return Response.json({ isDone: true })
}
