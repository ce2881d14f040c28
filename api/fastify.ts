// upkeep/fastify: 5 values, 1 types. Written by `npm run api`; do not edit.

export type FastifyPlugin = FastifyPluginCallback<{
    readonly prefix?: string | undefined;
}>;

export function handleErrors({ report, }?: HandleErrorsOptions): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

export function manage(management: Management): FastifyPlugin;

export function notFound(): (request: FastifyRequest, reply: FastifyReply) => void;

export function observe(management: Management): FastifyPlugin;

export function serve(resources: RequestHandler): FastifyPlugin;
