// Closures, because bundlers turn a module's `const` into `var`, which V8 cannot treat as constant.

/** Returns the sign, exponent and first 20 bits of the fraction of a double, as an unsigned integer. */
export const highWordOf: (value: number) => number = /* @__PURE__ */ (() => {
  const { float, words, high } = createView()
  return (value) => {
    float[0] = value
    return words[high] as number
  }
})()

/** Returns the double with this high word, followed by zeros. */
export const doubleOf: (highWord: number) => number = /* @__PURE__ */ (() => {
  const { float, words, high } = createView()
  return (highWord) => {
    words[high] = highWord
    return float[0] as number
  }
})()

/** Returns the fraction of a positive normal double, from 1 to less than 2. */
export const fractionOf: (value: number) => number = /* @__PURE__ */ (() => {
  const { float, words, high } = createView()
  return (value) => {
    float[0] = value
    words[high] = ((words[high] as number) & 0xfffff) | 0x3ff00000
    return float[0]
  }
})()

/** Creates a double and a view of its bits. The index of the high word depends on the byte order of the machine. */
function createView(): { float: Float64Array; words: Uint32Array; high: 0 | 1 } {
  const float = Float64Array.of(1)
  const words = new Uint32Array(float.buffer)
  const high = words[1] === 0 ? 0 : 1
  float[0] = 0
  return { float, words, high }
}
