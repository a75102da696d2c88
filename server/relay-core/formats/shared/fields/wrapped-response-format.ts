import type { ChatRequest, ResponseFormat } from '../../../model/chat.js';
import { isDocument, type Document } from './json-fields.js';
import { SchemaReferences } from './resolve-schema.js';
import type { UpstreamFormat } from '../../contract/api-format.js';

/** Member for an answer that is no object, in the object its vendor writes. */
export const WRAPPING_FIELD = 'value';

/** Content to take out of the object again: JSON, or a word without its quotes. */
export type Wrapping = 'json' | 'word';
type SchemaForm = Extract<ResponseFormat, { type: 'json-schema' }>;
type Vendor = Pick<UpstreamFormat<'chat'>, 'id' | 'responseFormatsAreObjects'>;

/**
 * Returns true when the form of an answer travels inside an object: most vendors bind answers to objects only, and a bare word of a list
 * (Google's `text/x.enum`) has no counterpart anywhere. Vendors of the caller's own API get what the caller wrote.
 */
export function wrappingOf(
  { responseFormat: format }: Pick<ChatRequest, 'responseFormat'>,
  clientFormat: string,
  vendor: Vendor,
): Wrapping | undefined {
  if (format?.type !== 'json-schema' || vendor.id === clientFormat) return undefined;
  if (format.isBareEnumValue === true) return 'word';
  return vendor.responseFormatsAreObjects === true && !isObject(format) ? 'json' : undefined;
}

/** The request whose form is an object, where it has to be one. */
export function withWrappedResponseFormat(
  request: ChatRequest,
  clientFormat: string,
  vendor: Vendor,
): ChatRequest {
  const format = request.responseFormat;
  if (format?.type !== 'json-schema' || wrappingOf(request, clientFormat, vendor) === undefined)
    return request;
  const { isBareEnumValue: _isBareWord, schema, ...rest } = format;
  const { $defs, definitions, $schema: _dialect, ...inner } = isDocument(schema) ? schema : ({} as Document);
  const wrapped = {
    type: 'object',
    properties: { [WRAPPING_FIELD]: inner },
    required: [WRAPPING_FIELD],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
  return { ...request, responseFormat: { ...rest, schema: wrapped } };
}

/** An object at the root, or nothing that contradicts it. */
function isObject({ schema }: SchemaForm): boolean {
  if (!isDocument(schema)) return true;
  const root = new SchemaReferences(schema).resolve(schema, []).schema;
  if (root['anyOf'] !== undefined || root['oneOf'] !== undefined) return false;
  const type = root['type'];
  return type === undefined ? root['enum'] === undefined && root['const'] === undefined : type === 'object';
}
