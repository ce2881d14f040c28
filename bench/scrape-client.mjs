// The other end of a scrape over HTTP, for scrape.mjs: is told a path, answers with how long it took.
import { get } from 'node:http'

const port = Number(process.argv[2])

process.on('message', (path) => {
  const start = performance.now()
  get({ host: '127.0.0.1', port, path }, (response) => {
    let bytes = 0
    response.on('data', (chunk) => {
      bytes += chunk.length
    })
    response.on('end', () => process.send({ milliseconds: performance.now() - start, bytes }))
  })
})
