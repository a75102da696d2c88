import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PRODUCT_VERSION } from '../common/product.js';

/** Files of swagger-ui-dist that the page needs, with their types. Nothing inline: the content security policy stays as it is. */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tollgate console API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  requestInterceptor(request) {
    const user = localStorage.getItem('user');
    if (user !== null) request.headers['New-Api-User'] = String(JSON.parse(user).id);
    return request;
  },
});
`;

/** `/api/openapi.json` and a browsable page at `/api/docs`. The document is made when first asked for. */
export function serveApiDocs(fastify: FastifyInstance, app: NestFastifyApplication): void {
  let document: string | undefined;
  fastify.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(createOpenApi(app));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  fastify.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(PAGE));
  fastify.get<{ Params: { file: string } }>('/api/docs/:file', async (request, reply) => {
    const { file } = request.params;
    if (file === 'start.js') return reply.type('text/javascript; charset=utf-8').send(START_SCRIPT);
    const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined;
    if (type === undefined) return reply.callNotFound();
    return reply.type(type).send(createReadStream(join(assetFolder(), file)));
  });
}

/** swagger-ui-dist is a dependency of @nestjs/swagger, so it is looked up from there. */
function assetFolder(): string {
  const fromSwagger = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
  return dirname(fromSwagger.resolve('swagger-ui-dist/package.json'));
}

/** The OpenAPI document of the console API, generated from the controllers and their zod schemas. */
export function createOpenApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Tollgate console API')
    .setDescription(
      'Answers are `{success, message, data}`. A refusal has HTTP 200 with `success: false` unless noted, a sentence in `message` ' +
        '(Chinese or English by `Accept-Language`) and a stable `code`. Signed-in calls carry the `session` cookie or a system access ' +
        'token in `Authorization`, and always the own user id in `New-Api-User`. The relay speaks the OpenAI API at `/v1`. ' +
        'Lists are read page by page: `page` counts from 1 on every list; `p`, the older name, counts from where its list says. ' +
        'Parameters of a query that a route does not name are ignored, on every route alike; members of a body that it does not name are ' +
        'ignored where nothing is lost by it, and refused by their name in documents that operators write.',
    )
    .setVersion(PRODUCT_VERSION)
    .addCookieAuth('session')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization' }, 'access-token')
    .build();
  return SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
}
