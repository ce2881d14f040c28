/** A double and its bits: what is written to `float[0]` can be read from `words`. For one expression only, never across a call. */
export const float: Float64Array = new Float64Array(1)
export const words: Uint32Array = new Uint32Array(float.buffer)

float[0] = 1
/** Where in `words` sign, exponent and the first 20 bits of the fraction are: by the machine's order of bytes. */
export const highWord: 0 | 1 = words[1] === 0 ? 0 : 1
