// upkeep/fastify: 5 values, 0 types. Written by `npm run api`; do not edit.

export function handleErrors({ report, }?: HandleErrorsOptions): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

export function manage(management: Management): Plugin;

export function notFound(): (request: FastifyRequest, reply: FastifyReply) => void;

export function observe(management: Management): Plugin;

export function serve(resources: RequestHandler): Plugin;
