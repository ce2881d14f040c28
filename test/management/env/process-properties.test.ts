import { describe, expect, it } from 'vitest'
import { argumentProperties, environmentProperties } from '../../../src/management/env/process-properties.ts'

const valuesOf = (args: readonly string[]) =>
  Object.fromEntries([...argumentProperties(args)].map(([name, { value }]) => [name, value]))

describe('the arguments of a process', () => {
  it.each<readonly [readonly string[], object]>([
    [[], {}],
    [['--port=1'], { port: '1' }],
    [['--port', '1'], { port: '1' }],
    [['--port='], { port: '' }],
    [['--text=a\nb=c'], { text: 'a\nb=c' }],
    [['--verbose'], { verbose: '' }],
    [['--verbose', '--port', '1'], { verbose: '', port: '1' }],
    [['--port=1', '--port=2'], { port: '1,2' }],
    [['--api-key', '-secret'], { 'api-key': '-secret' }],
    [['--dry-run', '-f', 'x'], { 'dry-run': '', nonOptionArgs: '-f,x' }],
    [['import', 'orders'], { nonOptionArgs: 'import,orders' }],
    [['--no name', 'x'], { nonOptionArgs: '--no name,x' }],
    [['--1=2', '---a=b'], { nonOptionArgs: '--1=2,---a=b' }],
    [[`--${'a'.repeat(129)}=1`], { nonOptionArgs: `--${'a'.repeat(129)}=1` }],
    [['--port=1', '--', '--to=2', '--'], { port: '1', nonOptionArgs: '--to=2,--' }],
    [['--port', '--', 'x'], { port: '', nonOptionArgs: 'x' }],
  ])('%j are %j', (args, properties) => {
    expect(valuesOf(args)).toEqual(properties)
  })
})

it('the variables of the environment are properties, with their origin', () => {
  expect([...environmentProperties({ PORT: '1', UNSET: undefined, EMPTY: '' })]).toEqual([
    ['PORT', { value: '1', origin: 'System Environment Property "PORT"' }],
    ['EMPTY', { value: '', origin: 'System Environment Property "EMPTY"' }],
  ])
})
