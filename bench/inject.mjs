// Requests over no network: real requests and responses of node:http over a socket that discards, closed as the server
// does it.
import { IncomingMessage, ServerResponse } from 'node:http'
import { Duplex } from 'node:stream'

class Discard extends Duplex {
  remoteAddress = '127.0.0.1'
  _read() {}
  _write(_chunk, _encoding, done) {
    done()
  }
  _writev(_chunks, done) {
    done()
  }
  setTimeout() {
    return this
  }
  cork() {}
  uncork() {}
}

/** So many requests are answered before the event loop turns. */
const requestsATurn = 32

/** Sends a request through a listener; resolves with its response when that is closed. */
export function inject(listener, url, socket = new Discard(), { method = 'GET', headers = [] } = {}) {
  return new Promise((resolve) => {
    const req = new IncomingMessage(socket)
    req.method = method
    req.url = url
    req.httpVersionMajor = 1
    req.httpVersionMinor = 1
    req.httpVersion = '1.1'
    // As the parser hands them over: `headers` is made of them when somebody asks.
    const lines = ['Host', '127.0.0.1', 'Accept', '*/*', 'User-Agent', 'bench', ...headers]
    req._addHeaderLines(lines, lines.length)
    req.push(null)
    const res = new ServerResponse(req)
    res.assignSocket(socket)
    res.on('finish', () => {
      res.detachSocket(socket)
      res.destroyed = true
      res._closed = true
      res.emit('close')
      resolve(res)
    })
    listener(req, res)
  })
}

/**
 * Microseconds of the processor that one request takes: on a machine that does other work too, the wall's say little.
 * `request(i)` tells its target and further header fields.
 */
export async function timeOf(listener, n, request) {
  const socket = new Discard()
  const began = process.cpuUsage()
  for (let i = 0; i < n; i++) {
    const { url, headers } = request(i)
    await inject(listener, url, socket, { headers })
    // The loop of a server turns, and timers with it.
    if (i % requestsATurn === requestsATurn - 1) await new Promise(setImmediate)
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / n
}
