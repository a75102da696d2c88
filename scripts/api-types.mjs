import openapiTypescript, { astToString } from 'openapi-typescript';

/** TypeScript of an OpenAPI document, for the console. What has a default may be left out of a body. */
export const apiTypes = async (document) =>
  astToString(await openapiTypescript(document, { alphabetize: true, defaultNonNullable: false }));
