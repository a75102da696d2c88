import { DRAWING_MODES } from '../../relay-core/dialects/midjourney.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Injectable } from '@nestjs/common';
import { patternOf } from '../http/relay-paths.js';
import { TaskImages } from './task-images.js';
import { TaskReader } from './task-reader.js';

/** Lists of ids. */
const QUESTION_BYTES = 64 * 1024;

interface TaskRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly bodyLimit?: number;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** The relay's addresses about tasks that are no calls: nothing is reserved, charged or recorded there. */
@Injectable()
export class TaskRoutes {
  private readonly routes: readonly (TaskRoute & { readonly pattern: RegExp })[];

  constructor(reader: TaskReader, pictures: TaskImages) {
    const get = (path: string, handler: TaskRoute['handler']): TaskRoute => ({
      method: 'GET',
      path,
      handler,
    });
    const post = (path: string, bodyLimit: number, handler: TaskRoute['handler']): TaskRoute => ({
      method: 'POST',
      path,
      bodyLimit,
      handler,
    });
    const drawings: readonly TaskRoute[] = [
      get('/mj/image/:id', (request, reply) => pictures.show(request, reply)),
      get('/mj/task/:id/fetch', (request, reply) => reader.drawing(request, reply)),
      get('/mj/task/:id/image-seed', (request, reply) => reader.imageSeed(request, reply)),
      post('/mj/task/list-by-condition', QUESTION_BYTES, (request, reply) => reader.drawings(request, reply)),
    ];
    const songs: readonly TaskRoute[] = [
      get('/suno/fetch/:id', (request, reply) => reader.song(request, reply)),
      post('/suno/fetch', QUESTION_BYTES, (request, reply) => reader.songs(request, reply)),
    ];
    // Behind a mode stand the same drawings.
    const behindModes = DRAWING_MODES.flatMap((mode) =>
      drawings.map((route) => ({ ...route, path: `${mode}${route.path}` })),
    );
    this.routes = [...drawings, ...behindModes, ...songs].map((route) => ({
      ...route,
      pattern: patternOf(route.path),
    }));
  }

  addTo(scope: FastifyInstance): void {
    for (const { method, path: url, bodyLimit, handler } of this.routes) {
      const limits = bodyLimit === undefined ? {} : { bodyLimit };
      scope.route({ method, url, exposeHeadRoute: false, ...limits, handler });
    }
  }

  /** Methods an address has. */
  methodsOf(path: string): readonly string[] {
    return this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
  }
}
