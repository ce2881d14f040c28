import { isSecretName } from '../../base/redaction.ts'
import type { Property } from './property-source.ts'

type Properties = ReadonlyMap<string, Property>

/** The name of all arguments that are not `--name=value`, as in Spring Boot. */
export const otherArguments = 'nonOptionArgs'

/**
 * Returns arguments as properties: `--name=value` and `--name value` by their names, `--name` with an empty value. All
 * others are one value, separated by commas: a name is shown, so only what is certainly a name becomes one. What
 * follows a name that may be that of a secret is its value, even if it starts with a hyphen.
 */
export function argumentProperties(args: readonly string[]): Properties {
  const found = new Map<string, string>()
  const add = (name: string, value: string) => {
    const before = found.get(name)
    found.set(name, before === undefined ? value : `${before},${value}`)
  }
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  for (let at = 0; at < options.length; at++) {
    const argument = options[at] ?? ''
    const [, name, value] = /^--([A-Za-z][\w.-]{0,127})(?:=([\s\S]*))?$/.exec(argument) ?? []
    const next = options[at + 1]
    if (name === undefined) add(otherArguments, argument)
    else if (value !== undefined || next === undefined || (next.startsWith('-') && !isSecretName(name))) {
      add(name, value ?? '')
    } else {
      add(name, next)
      at++
    }
  }
  for (const argument of end < 0 ? [] : args.slice(end + 1)) add(otherArguments, argument)
  return new Map([...found].map(([name, value]) => [name, { value }]))
}

/** Returns the variables of the environment. */
export function environmentProperties(environment: Readonly<Record<string, string | undefined>>): Properties {
  const variables = Object.entries(environment).flatMap(([name, value]) => {
    const origin = `System Environment Property "${name}"`
    return value === undefined ? [] : [[name, { value, origin }] as const]
  })
  return new Map(variables)
}

/** The name of the property that contains the process id. */
export const processId = 'PID'

/** Returns facts about the process, under the names of Spring Boot where it has them. */
export function systemProperties(): Properties {
  return new Map<string, Property>([
    [processId, { value: String(process.pid) }],
    ['node.version', { value: process.version }],
    ['os.arch', { value: process.arch }],
    ['os.name', { value: process.platform }],
    ['user.dir', { value: process.cwd() }],
  ])
}
