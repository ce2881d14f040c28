// The example of https://nodejs.org/api/cluster.html, with two workers; the primary says when both listen.
const cluster = require('node:cluster')
const http = require('node:http')
const process = require('node:process')

if (cluster.isPrimary) {
  console.log(`Primary ${process.pid} is running`)
  for (let i = 0; i < 2; i++) cluster.fork()
  let listening = 0
  cluster.on('listening', () => {
    listening += 1
    if (listening === 2) console.log('Both workers listen')
  })
  cluster.on('exit', (worker) => console.log(`worker ${worker.process.pid} died`))
} else {
  http
    .createServer((_req, res) => {
      res.writeHead(200)
      res.end('hello world\n')
    })
    .listen(process.env.PORT)
  console.log(`Worker ${process.pid} started`)
}
