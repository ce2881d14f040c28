import { describe, expect, it } from 'vitest'
import { parseFrame } from '../../../src/watch/threads/thread-dump.ts'

describe('parseFrame', () => {
  it.each([
    ['at burn (file:///app/main.js:3:9)', 'burn', 'file:///app/main.js', 3, 9],
    ['at Object.burn [as run] (node:net:12:5)', 'Object.burn [as run]', 'node:net', 12, 5],
    ['at file:///app/main.js:3:9', '', 'file:///app/main.js', 3, 9],
    ['at async file:///C:/app (1)/main.js:3:9', '', 'async file:///C:/app (1)/main.js', 3, 9],
    ['at burn (file:///app/main.js?token=canary-7f3a:3:9)', 'burn', 'file:///app/main.js', 3, 9],
    ['at [worker eval]:1:2', '', '[worker eval]', 1, 2],
    ['at Array.sort (<anonymous>)', 'Array.sort', '<anonymous>', -1, -1],
    ['at ', '', '', -1, -1],
  ])('reads %s', (line, functionName, url, lineNumber, column) => {
    expect(parseFrame(line)).toEqual({ functionName, url, line: lineNumber, column })
  })
})
