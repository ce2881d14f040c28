/** The program of a worker thread, bundled into one string of CommonJS: `new Worker(source, { eval: true })`. */
declare module '*?worker-source' {
  export const source: string
}
