import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Server } from 'node:http';
import type { FastifyHttpOptions, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type NotFound = (request: FastifyRequest, reply: FastifyReply) => void;

/** Nest's Fastify adapter with the two answers this API family expects otherwise: POST gives 200, and unknown paths are ours. */
export class ConsoleAdapter extends FastifyAdapter {
  constructor(
    options: FastifyHttpOptions<Server>,
    private readonly notFound: NotFound,
  ) {
    // No Nest middleware is used, so every request is spared its hook.
    super({ ...options, skipMiddie: true });
  }

  get fastify(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  /** Nest answers POST with 201; nothing here is created at an address of its own. */
  override status(
    response: Parameters<FastifyAdapter['status']>[0],
    statusCode: number,
  ): ReturnType<FastifyAdapter['status']> {
    return super.status(response, statusCode === 201 ? 200 : statusCode);
  }

  override reply(
    response: Parameters<FastifyAdapter['reply']>[0],
    body: unknown,
    statusCode?: number,
  ): ReturnType<FastifyAdapter['reply']> {
    return super.reply(response, body, statusCode === 201 ? 200 : statusCode);
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.fastify.setNotFoundHandler(this.notFound) as unknown as ReturnType<
      FastifyAdapter['setNotFoundHandler']
    >;
  }
}
