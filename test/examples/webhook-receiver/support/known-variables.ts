import { readSettings } from '../../../../examples/webhook-receiver/settings.ts'

/** The name of every variable that the receiver reads. */
export function knownVariables(): readonly string[] {
  const names: string[] = []
  readSettings(
    new Proxy(
      {},
      {
        get: (_, name) => {
          names.push(String(name))
        },
      },
    ),
  )
  return names
}
