import { readField, scanObject, spliceFields } from '../../framing/json-splice.js';
import { documentOf, isDocument, listOf, type Document } from '../../formats/shared/fields/json-fields.js';

/** Forms of schemas that some vendors refuse: without any of them nothing changes. */
const MARKS = ['"$ref"', '"anyOf"', '"items"'].map((mark) => Buffer.from(mark));

/**
 * A body, passed or written, with the schemas of its tools as the vendor takes them, in chats, Messages and Responses.
 * @returns the same buffer when nothing changes
 */
export function fitToolSchemas(body: Buffer, fit: (schema: Document) => Document): Buffer {
  const document = scanObject(body);
  const span = typeof document === 'string' ? undefined : document.members.get('tools');
  if (typeof document === 'string' || span === undefined) return body;
  const listed = document.bytes.subarray(span.start, span.end);
  if (!MARKS.some((mark) => listed.includes(mark))) return body;
  const tools = listOf(readField(document, 'tools')).map((tool) => fitTool(tool, fit));
  return spliceFields(document, new Map([['tools', tools]]));
}

function fitTool(value: unknown, fit: (schema: Document) => Document): unknown {
  if (!isDocument(value)) return value;
  const { function: inner } = value;
  if (isDocument(inner)) return { ...value, function: fitMember(inner, 'parameters', fit) };
  return fitMember(fitMember(value, 'input_schema', fit), 'parameters', fit);
}

const fitMember = (holder: Document, name: string, fit: (schema: Document) => Document): Document =>
  isDocument(holder[name]) ? { ...holder, [name]: fit(documentOf(holder[name])) } : holder;
