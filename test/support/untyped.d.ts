// Older majors, installed under another name, have no types of their own.
declare module 'express4'
declare module 'koa2'
declare module 'router22'

// It has no types of its own; tests use it as they use Express.
declare module 'router'

// It has no types of its own.
declare module 'mssql'

// It has no types; test/support/otlp/decode.ts and test/otlp/mock-otlp-server.test.ts say what is used of it.
declare module '@elastic/mockotlpserver'
declare module '@elastic/mockotlpserver/lib/proto.js'

// It has no types of its own; test/with/frameworks/documented/polka.ts says what is used of it.
declare module 'polka'
