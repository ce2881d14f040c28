// upkeep/fastify: 5 values, 1 types. Written by `npm run api`; do not edit.

/** @stable */
export type FastifyPlugin = FastifyPluginCallback<{
    readonly prefix?: string | undefined;
}>;

/** @stable */
export function handleErrors({ report, }?: HandleErrorsOptions): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** @stable */
export function manage(management: Management): FastifyPlugin;

/** @stable */
export function notFound(): (request: FastifyRequest, reply: FastifyReply) => void;

/** @stable */
export function observe(management: Management): FastifyPlugin;

/** @stable */
export function serve(resources: RequestHandler): FastifyPlugin;
