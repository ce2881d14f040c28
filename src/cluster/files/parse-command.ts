import type { ClusterCommand } from '../cluster-host.ts'

/** A command and its number, which grows with each. */
export interface NumberedCommand {
  readonly number: number
  readonly command: ClusterCommand
}

const maxText = 1024
const maxSlots = 1024

/** Reads a list of commands from JSON. Throws an error with the reason if one is invalid. */
export function parseCommands(text: string): readonly NumberedCommand[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new TypeError('expected a list of commands')
  const commands = list.map((each: unknown) => {
    const { number, command } = fieldsOf(each)
    if (!Number.isSafeInteger(number)) throw new TypeError('expected a number')
    return { number: Number(number), command: parseCommand(command) }
  })
  if (commands.some(({ number }, at) => number <= (commands[at - 1]?.number ?? 0))) {
    throw new TypeError('expected ascending numbers')
  }
  return commands
}

/** Returns a command with its known properties. Throws if one of them is invalid. */
export function parseCommand(value: unknown): ClusterCommand {
  const { kind, logger, level, until, reason, slots: list } = fieldsOf(value)
  const slots = list === undefined ? {} : { slots: expectSlots(list) }
  if (kind === 'shutdown') return { kind, reason: expectText('reason', reason), ...slots }
  if (kind !== 'log-level') throw new TypeError(`kind: expected "log-level" or "shutdown", received ${String(kind)}`)
  return {
    kind,
    logger: expectText('logger', logger),
    level: level === undefined ? undefined : expectText('level', level),
    until: until === undefined ? undefined : expectNumber('until', until),
    ...slots,
  }
}

/** Returns the own properties of an object: `__proto__` of JSON is one of them, and is not read. */
function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw new TypeError('expected an object')
  return Object.assign(Object.create(null), value)
}

function expectText(name: string, value: unknown): string {
  if (typeof value === 'string' && value.length <= maxText) return value
  throw new TypeError(`${name}: expected a string of at most ${maxText} characters`)
}

function expectNumber(name: string, value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new TypeError(`${name}: expected a number, received ${String(value)}`)
}

function expectSlots(value: unknown): readonly number[] {
  if (Array.isArray(value) && value.length <= maxSlots && value.every(isSlot)) return value
  throw new TypeError(`slots: expected at most ${maxSlots} numbers of members`)
}

function isSlot(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
