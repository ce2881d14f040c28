import { describe, expect, it } from 'vitest'
import { httpProgram, upkeepLines, writeApplication } from '../support/auto-application.ts'

/** Gives the process the path of its program before `upkeep/auto` sees it, as on Windows. */
async function start(program: string) {
  const application = await writeApplication({
    'app.mjs': httpProgram,
    'windows.cjs': `process.argv[1] = ${JSON.stringify(program)}\n`,
  })
  const child = application.start({ flags: ['--require', './windows.cjs', '--import', 'upkeep/auto'] })
  await child.out.line(/port/)
  return child
}

describe('upkeep/auto with the paths of Windows', () => {
  it.each([
    'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js',
    'C:\\Users\\ops\\AppData\\Roaming\\npm\\node_modules\\pnpm\\bin\\pnpm.cjs',
    'C:\\orders\\node_modules\\tsx\\dist\\cli.mjs',
    'C:\\orders\\node_modules\\pm2\\lib\\Daemon.js',
    'C:\\orders\\node_modules\\mocha\\bin\\_mocha',
    'C:\\orders\\node_modules\\ava\\lib\\worker\\base.js',
  ])('does nothing in %s', async (program) => {
    const child = await start(program)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
    expect(upkeepLines(child)).toEqual([])
  })

  it('serves the application C:\\orders\\server.js', async () => {
    const child = await start('C:\\orders\\server.js')
    await child.err.line(/health at/)
    child.writeInput('end')
    expect(await child.ended).toBe(0)
  })
})
