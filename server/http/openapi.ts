import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PRODUCT_VERSION } from '../common/product.js';

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
