import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { built } from '../support/built.ts'

const root = resolve(import.meta.dirname, '../..')
// Where `upkeep` is the package as it is installed.
const folder = dirname(dirname(built('build/node_modules/upkeep')))
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

interface Block {
  readonly file: string
  /** Such as `docs/guides/health.md:46`. */
  readonly place: string
  readonly text: string
}

/** The blocks of TypeScript and JavaScript, as files beside the installed package. */
const blocks: readonly Block[] = ['README.md', ...pages].flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^```(ts|js)\n(.*?)^```$/gms)].map(({ 1: language, 2: code = '', index }, at) => {
    const file = join(folder, `documented-${page.replaceAll(/\W/g, '-')}-${at}.${language === 'ts' ? 'ts' : 'mjs'}`)
    return { file, place: `${page}:${text.slice(0, index).split('\n').length}`, text: code }
  })
})

/** What a part of a program leaves open: names that are declared elsewhere, and the types that follow from them. */
const open = [
  ...[2304, 2552, 2503, 18004, 2591, 2593], // cannot find a name
  ...[7006, 7031, 7005, 7034, 18046, 2571], // without a type, because of a name
]
/** What is checked of JavaScript: names that a module exports, and properties of options. */
const ofJavaScript = [2305, 2614, 2724, 2353, 2561]

const options: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, allowJs: true, checkJs: true },
  ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023, types: ['node'] },
}

/** Returns what the compiler finds in blocks. */
function check(blocks: readonly Block[], options: ts.CompilerOptions): readonly string[] {
  const texts = new Map(blocks.map(({ file, text }) => [file, `${text}\nexport {}\n`]))
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile: (file, language, ...rest) => {
      const text = texts.get(file)
      return text === undefined
        ? host.getSourceFile(file, language, ...rest)
        : ts.createSourceFile(file, text, language)
    },
  })
  return blocks.flatMap(({ file, place }) => {
    const source = program.getSourceFile(file)
    const semantic = program.getSemanticDiagnostics(source).filter(({ code, messageText }) => {
      const message = ts.flattenDiagnosticMessageText(messageText, ' ')
      // Packages that are installed elsewhere, and files of the reader.
      if (code === 2307 && !/'upkeep/.test(message)) return false
      return file.endsWith('.mjs') ? ofJavaScript.includes(code) : !open.includes(code)
    })
    return [...program.getSyntacticDiagnostics(source), ...semantic].map(({ messageText, code, start = 0 }) => {
      const line = source?.getLineAndCharacterOfPosition(start).line ?? 0
      return `${place} +${line}: ${code} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  })
}

const isOfNest = ({ place, text }: Block) => place.includes('nest') || text.includes('@nestjs/')

it('each block of code in the documentation uses what the package exports', () => {
  expect(blocks.length).toBeGreaterThan(150)
  const found = [
    ...check(
      blocks.filter((block) => !isOfNest(block)),
      options,
    ),
    ...check(blocks.filter(isOfNest), { ...options, experimentalDecorators: true }),
  ]
  expect(found).toEqual([])
})

it('mistakes in blocks are found', () => {
  const texts = [
    ['mjs', "import { createManagment } from 'upkeep'"],
    ['mjs', "import { createManagement } from 'upkeep'\ncreateManagement({ helth: {} })"],
    ['ts', "import { createManagement } from 'upkeep'\ncreateManagement({ expose: [somewhere] }).open()"],
    ['ts', "import { createManagement } from 'upkeep'\ncreateManagement({ expose: [somewhere] })"],
  ] as const
  const mistakes = texts.map(([extension, text], at) => ({
    file: join(folder, `documented-mistake-${at}.${extension}`),
    place: `block ${at}`,
    text,
  }))
  expect(check(mistakes, options)).toEqual([
    expect.stringContaining('block 0 +0: 2724'),
    expect.stringContaining('block 1 +1: 2561'),
    expect.stringContaining('block 2 +1: 2339'),
  ])
})
