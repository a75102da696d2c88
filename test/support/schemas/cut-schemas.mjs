/**
 * Cuts what answers and requests are made of out of the vendors' published OpenAPI documents, without their prose:
 *   node test/support/schemas/cut-schemas.mjs FOLDER   (openai.json, anthropic.json, openresponses.json)
 * Sources, read 2026-11-25: https://github.com/openai/openai-openapi (MIT, 2.3.0), Anthropic's published OpenAPI document,
 * https://www.openresponses.org (2026-04-24).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Echoes of the request, and kinds only a vendor's own bytes hold: anything goes. */
const ANYTHING =
  /^(Tool|ToolChoice|Prompt|Conversation|TextResponseFormat|ResponseFormat|InputItem|Moderation|ChatCompletionModeration|.*Param|ModelIds.*|Metadata|ModelCapabilities|CompactionSummary.*|.*Filter|Model)$/;
const VENDORS_WORK =
  /^Response(ServerToolUse|WebSearchTool|WebFetch|CodeExecution|BashCode|TextEditor|ToolSearch|ContainerUpload)/;
const KINDS = {
  OutputItem: ['OutputMessage', 'ReasoningItem', 'FunctionToolCall', 'CustomToolCall', 'ImageGenToolCall'],
  Annotation: ['UrlCitationBody', 'FileCitationBody'],
  ResponseStreamEvent: [
    'Created',
    'InProgress',
    'Completed',
    'Incomplete',
    'Failed',
    'Error',
    'OutputItemAdded',
    'OutputItemDone',
    'ContentPartAdded',
    'ContentPartDone',
    'TextDelta',
    'TextDone',
    'RefusalDelta',
    'RefusalDone',
    'OutputTextAnnotationAdded',
    'FunctionCallArgumentsDelta',
    'FunctionCallArgumentsDone',
    'CustomToolCallInputDelta',
    'CustomToolCallInputDone',
    'ReasoningSummaryPartAdded',
    'ReasoningSummaryPartDone',
    'ReasoningSummaryTextDelta',
    'ReasoningSummaryTextDone',
  ].map((name) => `Response${name}Event`),
};
const PROSE = /^(description|example|examples|title|default|deprecated|externalDocs|discriminator|x-.*)$/;

const nameOf = (ref) => ref.split('/').at(-1);

function plain(value, isNames = false) {
  if (Array.isArray(value))
    return value.filter((item) => !VENDORS_WORK.test(nameOf(item?.$ref ?? ''))).map((item) => plain(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => isNames || !PROSE.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member, name === 'properties')]));
}

/** Copies schemas as they stand, everything they name included. */
function cutWhole(schemas, roots) {
  const kept = {};
  const add = (name) => {
    if (name in kept) return;
    kept[name] = whole(schemas[name]);
    JSON.stringify(kept[name], (key, value) => {
      if (key === '$ref') add(nameOf(value));
      return value;
    });
  };
  for (const root of roots) add(root);
  return kept;
}

function whole(value, isNames = false) {
  if (Array.isArray(value)) return value.map((item) => whole(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => isNames || !PROSE.test(name));
  return Object.fromEntries(members.map(([name, member]) => [name, whole(member, name === 'properties')]));
}

function cut(schemas, roots) {
  const kept = {};
  const add = (name) => {
    if (name in kept) return;
    if (ANYTHING.test(name) && !roots.includes(name)) {
      kept[name] = {};
      return;
    }
    const schema = plain(schemas[name]);
    for (const union of ['anyOf', 'oneOf'])
      if (KINDS[name] !== undefined && Array.isArray(schema[union]))
        schema[union] = schema[union].filter(({ $ref }) => KINDS[name].includes(nameOf($ref ?? '')));
    kept[name] = schema;
    JSON.stringify(schema, (key, value) => {
      if (key === '$ref') add(nameOf(value));
      return value;
    });
  };
  for (const root of roots) add(root);
  return kept;
}

const folder = process.argv[2] ?? '.';
const read = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')).components.schemas;
const write = (name, schemas, text = JSON.stringify(schemas, null, 1)) => {
  const file = join(import.meta.dirname, `${name}.json`);
  writeFileSync(file, `${text}\n`);
  console.log(name, Object.keys(schemas).length, readFileSync(file).length);
};
/** One schema a line. */
const writeLines = (name, schemas) => {
  const lines = Object.entries(schemas).map(
    ([key, schema]) => `${JSON.stringify(key)}:${JSON.stringify(schema)}`,
  );
  write(name, schemas, `{\n${lines.join(',\n')}\n}`);
};
write(
  'openai-chat',
  cut(read('openai'), ['CreateChatCompletionResponse', 'CreateChatCompletionStreamResponse']),
);
write('openai-responses', cut(read('openai'), ['Response', 'ResponseStreamEvent']));
write('open-responses', cut(read('openresponses'), ['ResponseResource']));
write('anthropic-messages', cut(read('anthropic'), ['Message', 'MessageStreamEvent']));
write(
  'openai-others',
  cut(read('openai'), [
    'CreateEmbeddingResponse',
    'ListModelsResponse',
    'Model',
    'ErrorResponse',
    'RealtimeServerEventError',
  ]),
);
write('anthropic-others', cut(read('anthropic'), ['ErrorResponse', 'ListResponse_ModelInfo_', 'ModelInfo']));
writeLines('openai-requests', cutWhole(read('openai'), ['CreateResponse', 'CreateChatCompletionRequest']));
writeLines(
  'anthropic-requests',
  cutWhole(read('anthropic'), ['CreateMessageParams', 'BetaCreateMessageParams']),
);
