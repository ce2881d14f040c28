import { parseAst } from 'rollup/parseAst'
import { describe, expect, it } from 'vitest'
import { rollupFilesOnUse } from '../../scripts/build-steps/files-on-use.mjs'
import { shorten } from '../../scripts/build-steps/shorten.mjs'

/** Returns code in which the files of `scripts/files-on-use.mjs` are loaded on use. */
function onUse(code: string): string {
  const { renderChunk } = rollupFilesOnUse
  if (typeof renderChunk !== 'function') throw new TypeError('expected a function')
  const result: { readonly code: string } = Reflect.apply(renderChunk, { parse: parseAst }, [code])
  return result.code
}
const load = "const metricsCore = require('./metrics-core.cjs');"
const loader = "var metricsCore_; function metricsCore() { return metricsCore_ ??= require('./metrics-core.cjs'); }"

describe('a file that is loaded on use', () => {
  it.each([
    ['return metricsCore.count(1)', 'return metricsCore().count(1)'],
    ['return metricsCore.names[metricsCore.at]', 'return metricsCore().names[metricsCore().at]'],
    ['return new metricsCore.Timer(1)', 'return new (metricsCore().Timer)(1)'],
    [
      'return new metricsCore.Timer(new metricsCore.Clock())',
      'return new (metricsCore().Timer)(new (metricsCore().Clock)())',
    ],
    ['return a instanceof metricsCore.Timer', 'return a instanceof metricsCore().Timer'],
    ['return { metricsCore: a.metricsCore }', 'return { metricsCore: a.metricsCore }'],
  ])('is required where a function reads it: %s', (before, after) => {
    expect(onUse(`${load}\nfunction f(a) { ${before} }`)).toBe(`${loader}\nfunction f(a) { ${after} }`)
  })

  it.each(['class A extends metricsCore.B {}', 'const a = metricsCore.a', 'exports.a = metricsCore.a'])(
    'is required at once for what is used while the file is loaded: %s',
    (use) => {
      const code = `${load}\n${use};\nfunction f() { return metricsCore.b }`
      expect(onUse(code)).toBe(code)
    },
  )

  it('is not loaded for its effects, unlike other files', () => {
    expect(onUse("require('./metrics-core.cjs');\nrequire('./core.cjs');")).toBe("\nrequire('./core.cjs');")
  })

  it.each([
    'function f(metricsCore) { return metricsCore }',
    'const f = () => metricsCore',
    '{ const metricsCore = 1 }',
  ])('has a name of its own, which is never read alone: %s', (use) => {
    expect(() => onUse(`${load}\n${use}`)).toThrow('expected that only a file to load is named metricsCore')
  })
})

describe('shorten', () => {
  it.each([
    ['function f(a, b) {\n  // why\n  return a + b;\n}', 'function f(a,b){\nreturn a + b;\n}'],
    ['const a = `  b  c  ` // d', 'const a=`  b  c  `'],
    ['const a = /* @__PURE__ */ f()', 'const a= /* @__PURE__ */f()'],
    ['a()\n// @__NO_SIDE_EFFECTS__\nfunction f() {}', 'a()\n/* @__NO_SIDE_EFFECTS__ */function f(){}'],
    ["import(/* webpackIgnore: true */ 'a')", "import( /* webpackIgnore: true */'a')"],
    ['#!/usr/bin/env node\nf()', '#!/usr/bin/env node\nf()'],
    ['a = b / c / d; e = /  f/', 'a=b / c / d;e=/  f/'],
    ['return - -a', 'return - -a'],
    ['a\n++b', 'a\n++b'],
  ])('%j is %j', (before, after) => {
    const code = before.startsWith('return') ? `function f(a){${before}}` : before
    expect(shorten(code)).toBe(`${before.startsWith('return') ? `function f(a){${after}}` : after}\n`)
  })
})
