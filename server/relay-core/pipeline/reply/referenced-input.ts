import { JsonCursor } from '../../framing/json-cursor.js';

const TOKENS_PER_TOOL = 4_096;
const TOKENS_PER_IMAGE = 65_536;
const TOKENS_PER_AUDIO = 131_072;
/** Input that is named and stands elsewhere (a file, a video, a conversation, a page, search results) may fill a whole context. */
export const TOKENS_PER_CONTEXT = 1_048_576;

/** Members whose value stands for more than its bytes. Several names may mean one thing; each counts by itself. */
const ALLOWANCES: ReadonlyMap<string, number> = new Map([
  ['image_url', TOKENS_PER_IMAGE],
  ['image', TOKENS_PER_IMAGE],
  ['input_audio', TOKENS_PER_AUDIO],
  ['audio_url', TOKENS_PER_AUDIO],
  ['audio', TOKENS_PER_AUDIO],
  // Images, but documents too, whose pages pack well.
  ...[
    'source',
    'file',
    'file_id',
    'file_url',
    'file_data',
    'fileData',
    'inlineData',
    'inline_data',
    'mcp_servers',
    'container',
    'video',
    'video_url',
    'document_url',
  ].map((name): [string, number] => [name, TOKENS_PER_CONTEXT]),
]);

/** Top-level members complete in themselves: the vendor reads nothing for them beyond the request. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  'stream_options',
  'n',
  'best_of',
  'echo',
  'suffix',
  'stop',
  'stop_sequences',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tool_calls',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'seed',
  'user',
  'metadata',
  'response_format',
  'text',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'thinking',
  'output_config',
  'modalities',
  'prediction',
  'store',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'include',
  'truncation',
  'background',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'cache_control',
  'generationConfig',
  'generation_config',
  'safetySettings',
  'safety_settings',
  'toolConfig',
  'tool_config',
  'labels',
  'dimensions',
  'encoding_format',
  'top_n',
  'return_documents',
]);
/** Top-level members that hold the input. */
const TURNS: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'contents',
  'content',
  'requests',
  'system',
  'systemInstruction',
  'system_instruction',
  'instructions',
  'query',
  'documents',
]);
/** Kinds of parts and items whose content stands in them. */
const SELF_CONTAINED: ReadonlySet<string> = new Set([
  'text',
  'input_text',
  'output_text',
  'summary_text',
  'refusal',
  'thinking',
  'redacted_thinking',
  'message',
  'function',
  'custom',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'tool_use',
  'tool_result',
  'image_url',
  'image',
  'input_image',
  'input_audio',
  'audio_url',
  'ephemeral',
]);
const TOOL_LISTS: ReadonlySet<string> = new Set(['tools', 'functions']);
/** Members of the description of a tool of the caller's own, in any API. */
const OWN_TOOL_FIELDS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'parameters',
  'parametersJsonSchema',
  'input_schema',
  'strict',
  'function',
  'custom',
  'format',
  'functionDeclarations',
  'function_declarations',
  'cache_control',
  'parameter_definitions',
  'input_examples',
]);
const OWN_TOOL_TYPES: ReadonlySet<string> = new Set(['"function"', '"custom"', 'null']);

const MAX_NAME = 32;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const NULL = 0x6e;

const cursor = new JsonCursor();

/**
 * Tokens a vendor may truly read for this document beyond its bytes. Whatever is not known as complete may stand for a
 * whole context: a caller must not make a true report unbelievable by naming what the vendor is to read (a page, a
 * stored conversation, a cache), for then it would be charged for the name alone.
 */
export function referencedInputTokens(document: Buffer, perOwnTool = TOKENS_PER_TOOL): number {
  cursor.reset(document, 0, document.length);
  let tokens = 0;
  if (!cursor.enterObject()) return 0;
  while (cursor.nextMember()) {
    const name = nameOf();
    const first = cursor.peek();
    if (first === NULL || SETTINGS.has(name)) cursor.skipValue();
    else if (TURNS.has(name)) tokens += inTurns();
    else if (TOOL_LISTS.has(name) && first === OPEN_ARRAY) tokens += inTools(perOwnTool);
    // Texts to go on from; as an object it names a stored one.
    else if (name === 'prompt' && first !== OPEN_OBJECT) cursor.skipValue();
    else {
      tokens += ALLOWANCES.get(name) ?? TOKENS_PER_CONTEXT;
      cursor.skipValue();
    }
  }
  return tokens;
}

/** Top-level members that name something elsewhere, but no tool of the vendor's that is paid by use. */
const WITHOUT_TOOLS: ReadonlySet<string> = new Set(['audio', 'context_management', 'mcp_servers']);
/** Tools that the request is read for by their type (`shape.vendorTools`): they stand for themselves only. */
const KNOWN_TOOL_TYPE =
  /^"(?:web_search|web_fetch|file_search|code_interpreter|code_execution|image_generation)/;

/**
 * True where a request may give the vendor tools to run that are not known here by their type: a tool of an unknown kind, a stored prompt, any
 * unknown member.
 */
export function mayRunTools(document: Buffer): boolean {
  cursor.reset(document, 0, document.length);
  if (!cursor.enterObject()) return true;
  while (cursor.nextMember()) {
    const name = nameOf();
    const first = cursor.peek();
    const isText = name === 'prompt' && first !== OPEN_OBJECT;
    if (first === NULL || isText || SETTINGS.has(name) || TURNS.has(name) || WITHOUT_TOOLS.has(name))
      cursor.skipValue();
    else if (!TOOL_LISTS.has(name) || first !== OPEN_ARRAY || listsUnknownTools()) return true;
  }
  return false;
}

function listsUnknownTools(): boolean {
  let isSo = false;
  cursor.enterArray();
  while (cursor.nextElement()) {
    if (cursor.peek() === OPEN_OBJECT) isSo ||= runsUnknownTool();
    else if (!cursor.skipValue()) break;
  }
  return isSo;
}

function runsUnknownTool(): boolean {
  let isUnknown = false;
  let isKnown = false;
  cursor.enterObject();
  while (cursor.nextMember()) {
    const isOwn = OWN_TOOL_FIELDS.has(nameOf());
    const isType = cursor.keyIs(TYPE);
    const value = scalar();
    if (isType) {
      isKnown ||= KNOWN_TOOL_TYPE.test(value);
      isUnknown ||= !OWN_TOOL_TYPES.has(value);
    } else isUnknown ||= !isOwn && value !== 'null';
  }
  return isUnknown && !isKnown;
}

/** Empty where the name differs from its bytes, or longer than any we know. */
const nameOf = (): string =>
  cursor.keyEscaped || cursor.keyEnd - cursor.keyStart > MAX_NAME ? '' : cursor.keyText();

function inTurns(): number {
  const first = cursor.peek();
  let tokens = 0;
  if (first === OPEN_ARRAY) {
    cursor.enterArray();
    while (cursor.nextElement()) tokens += inTurns();
  } else if (first === OPEN_OBJECT) tokens += inPart();
  else cursor.skipValue();
  return tokens;
}

function inPart(): number {
  let tokens = 0;
  let members = 0;
  let hasId = false;
  cursor.enterObject();
  while (cursor.nextMember()) {
    members += 1;
    const allowance = cursor.keyEscaped ? TOKENS_PER_CONTEXT : ALLOWANCES.get(nameOf());
    if (allowance !== undefined) {
      tokens += allowance;
      cursor.skipValue();
    } else if (cursor.keyIs(TYPE)) tokens += SELF_CONTAINED.has(unquoted(scalar())) ? 0 : TOKENS_PER_CONTEXT;
    else {
      hasId ||= cursor.keyIs(ID);
      tokens += inTurns();
    }
  }
  // Nothing but an id: its content is stored at the vendor.
  return hasId && members === 1 ? tokens + TOKENS_PER_CONTEXT : tokens;
}

function inTools(perTool: number): number {
  let tokens = 0;
  cursor.enterArray();
  while (cursor.nextElement()) {
    tokens += perTool;
    if (cursor.peek() !== OPEN_OBJECT) {
      if (!cursor.skipValue()) break;
    } else if (isRunByVendor()) tokens += TOKENS_PER_CONTEXT;
  }
  return tokens;
}

/** A tool the vendor runs itself goes round and round inside one call, each time with everything before it as input. */
function isRunByVendor(): boolean {
  let isIt = false;
  cursor.enterObject();
  while (cursor.nextMember()) {
    const isOwn = OWN_TOOL_FIELDS.has(nameOf());
    const isType = cursor.keyIs(TYPE);
    const value = scalar();
    isIt ||= isType ? !OWN_TOOL_TYPES.has(value) : !isOwn && value !== 'null';
  }
  return isIt;
}

const TYPE = Buffer.from('type');
const ID = Buffer.from('id');
/** With its quotes, a little longer than any name we know. */
const MAX_SCALAR = MAX_NAME + 4;

/** Passes a value. @returns its bytes, cut where they are longer than any word we know */
function scalar(): string {
  cursor.peek();
  const from = cursor.at;
  cursor.skipValue();
  return cursor.bytes.toString('latin1', from, Math.min(cursor.at, from + MAX_SCALAR));
}

const unquoted = (text: string): string => text.slice(1, -1);
