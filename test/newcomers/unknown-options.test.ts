import { describe, expect, it } from 'vitest'
import { type OptionsObject, optionsObjects, uncheckedOptions } from '../support/options-objects.ts'
import { repository } from '../support/package/packed.ts'
import { readPublicOptions } from '../support/public-options.ts'

const publicOptions = readPublicOptions(repository)

/** A name that resembles none. */
const far = 'zebraCrossing'

const table = optionsObjects.map((object, at) => ({ ...object, title: `${at} ${object.where}: ${object.path ?? ''}` }))

function namesOf({ type }: OptionsObject): readonly string[] {
  return typeof type === 'string' ? (publicOptions.get(type) ?? []) : type
}

function pathOf({ path }: OptionsObject, name: string): string {
  return path === undefined ? name : `${path}.${name}`
}

async function errorOf({ pass }: OptionsObject, name: string): Promise<string> {
  try {
    await pass({ [name]: 1 })
    return 'no error'
  } catch (error) {
    return error instanceof TypeError ? error.message : `not a TypeError: ${String(error)}`
  }
}

describe.each(table)('an unknown option of $title', (object) => {
  const names = namesOf(object)

  it('is an error that lists all options if none is similar', async () => {
    const [start, list = ''] = (await errorOf(object, far)).split('; expected ')
    expect(start).toBe(`${object.where}: unknown option "${pathOf(object, far)}"`)
    expect(list.split(', ').sort()).toEqual([...names].sort())
  })

  it('is an error that names the similar option', async () => {
    for (const name of names.filter(({ length }) => length > 2)) {
      const unknown = `x${name}`
      expect(await errorOf(object, unknown)).toContain(
        `${object.where}: unknown option "${pathOf(object, unknown)}"; did you mean "${pathOf(object, name)}"?`,
      )
    }
  })

  it.each(Object.entries(object.foreign ?? {}))(
    '%j of another library is an error that says where it is',
    async (name, advice) => {
      expect(await errorOf(object, name)).toContain(
        `${object.where}: unknown option "${pathOf(object, name)}"; ${advice}`,
      )
    },
  )
})

describe('the table of objects of options', () => {
  const tested = optionsObjects.flatMap(({ type }) => (typeof type === 'string' ? [type] : []))

  it('has every public interface of options, or a reason why not', () => {
    const listed = [...new Set(tested), ...Object.keys(uncheckedOptions)].sort()
    expect(listed).toEqual([...publicOptions.keys()].sort())
  })
})
