import { lazy } from '../../base/lazy.ts'

const files = /* @__PURE__ */ lazy(() => process.getBuiltinModule('node:fs/promises'))

/** Returns the object in a JSON file; an empty one if the file cannot be read, or contains something else. */
export async function readJsonObject(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await files().readFile(path, 'utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
