import { describe, expect, it } from 'vitest'
import { imageCommand, type StartCommand, selectAutoStart } from '../../../src/cli/doctor/project/auto-start.ts'

const command = (text: string, place = 'a'): StartCommand => ({ place, text })

describe('upkeep doctor', () => {
  it.each([
    ['node --import upkeep/auto app.mjs', '--import upkeep/auto'],
    ['node --import=upkeep/auto app.mjs', '--import upkeep/auto'],
    ['node -r upkeep/auto app.mjs', '-r upkeep/auto'],
    ['node --require "upkeep/auto" app.mjs', '--require upkeep/auto'],
    ["NODE_OPTIONS='--import upkeep/auto --enable-source-maps' node app.mjs", '--import upkeep/auto'],
    ['CMD ["node", "--import", "upkeep/auto", "app.mjs"]', '--import upkeep/auto'],
    ["node_args: '--import /app/node_modules/upkeep/dist/auto.js',", '--import /app/node_modules/upkeep/dist/auto.js'],
    ["interpreter_args: ['-r', 'upkeep/auto'],", '-r upkeep/auto'],
    [
      '{"env":{"NODE_OPTIONS":"--require=file:///srv/node_modules/upkeep/dist/auto.cjs"}}',
      /^--require file:.*auto\.cjs$/,
    ],
    ['node --import tsx --import upkeep/auto app.mjs', '--import upkeep/auto'],
    ['node --import tsx app.mjs', undefined],
    ['node --import upkeep/automatic app.mjs', undefined],
    ['node --import ./upkeep/auto app.mjs', undefined],
    ['echo upkeep/auto --import', undefined],
    ['', undefined],
  ])('reads how %s loads upkeep/auto', (text, option) => {
    const found = selectAutoStart('app.mjs', [command(text)])?.option
    if (option instanceof RegExp) expect(found).toMatch(option)
    else expect(found).toBe(option)
  })

  it.each([
    ['of the file, if some name it', 'worker.js', undefined],
    ['with the extension left out', 'dist/main.js', 'start'],
    ['of any program, if none names it', 'other.js', 'start'],
  ])('takes the command %s', (_, file, place) => {
    const commands = [command('node -r upkeep/auto dist/main', 'start'), command('node worker.js', 'worker')]
    expect(selectAutoStart(file, commands)?.place).toBe(place)
  })

  it('reads the last stage of a Dockerfile: what it runs, and its variables', () => {
    const text = [
      'FROM node AS build',
      'CMD node --import upkeep/auto build.js',
      'FROM node',
      '# CMD node other.js',
      'RUN npm ci',
      'ENV NODE_OPTIONS="--import upkeep/auto" \\',
      '  UPKEEP_TOKEN=a',
      '  entrypoint ["node"]',
      'CMD ["app.js"]',
    ]
    const read = [
      'ENV NODE_OPTIONS="--import upkeep/auto"    UPKEEP_TOKEN=a',
      '  entrypoint ["node"]',
      'CMD ["app.js"]',
    ]
    expect(imageCommand(text.join('\n'))).toBe(read.join('\n'))
    expect(imageCommand(text.join('\r\n'))).toContain('--import upkeep/auto"')
  })

  it('reads text of any form', () => {
    for (const text of ['--import ', '[{(`\'"\\', 'FROM \nCMD \\\n', '='].map((each) => each.repeat(50_000))) {
      expect(selectAutoStart('app.mjs', [command(imageCommand(text)), command(text)])).toBeUndefined()
    }
  })
})
