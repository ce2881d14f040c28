// Tests listen on 127.0.0.1 only; lightship has no option for its address.
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  return listen.apply(
    this,
    args.map((arg) => (arg?.host === '0.0.0.0' ? { ...arg, host: '127.0.0.1' } : arg)),
  )
}
