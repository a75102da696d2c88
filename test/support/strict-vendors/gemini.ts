import {
  checkMagic,
  list,
  object,
  onlyMembers,
  pieces,
  refuse,
  SPENT,
  text,
  type Json,
  type Story,
  type Turn,
} from './story.js';
import { checkGoogleSchema } from './schema-rules.js';
import { sendEvents, sendJson, type StrictGrammar, type Wanted } from './strict-grammar.js';

const unknown = (place: string) => (name: string) =>
  `Invalid JSON payload received. Unknown name "${name}"${place === '' ? '' : ` at '${place}'`}: Cannot find field.`;
const MEMBERS = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'store',
  'serviceTier',
];
const CONFIG_MEMBERS = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'stopSequences',
  'candidateCount',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'thinkingConfig',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseModalities',
  'mediaResolution',
  'speechConfig',
  '_responseJsonSchema',
];
const PART_MEMBERS = [
  'text',
  'thought',
  'thoughtSignature',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'mediaResolution',
  'partMetadata',
];
/** Signatures in Google's own guide for histories of other models. */
const BYPASSES = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

const sealed = (index: number): string => Buffer.from(`gemini ${index}`).toString('base64');

function checkSignature(part: Json, index: number, story: Story): 'kept' | 'bypassed' | 'none' {
  const signature = part['thoughtSignature'];
  if (signature === undefined) return 'none';
  if (BYPASSES.includes(text(signature))) return 'bypassed';
  if (!/^[\w+/=-]*$/.test(text(signature)))
    refuse(
      `Invalid value at 'contents[0].parts[0].thought_signature' (TYPE_BYTES), Base64 decoding failed for "${text(signature)}"`,
    );
  if (signature !== sealed(index) && story.isForeign !== true) refuse(`Corrupted thought signature.`);
  return 'kept';
}

type Growing = {
  text: string;
  calls: Turn['calls'][number][];
  results: { id: string; text: string }[];
  signatures: number;
  isChanged?: boolean;
};

/** Pieces of an answer that a client kept each by itself, as the vendor's own packages do with streams, are one turn. */
function joinPieces(contents: readonly Json[]): readonly Json[] {
  const joined: Json[] = [];
  for (const content of contents) {
    const before = joined.at(-1);
    if (content['role'] === 'model' && before?.['role'] === 'model')
      joined.splice(-1, 1, { ...before, parts: [...list(before['parts']), ...list(content['parts'])] });
    else joined.push(content);
  }
  return joined;
}

function turnsOf(sent: readonly Json[], story: Story): Turn[] {
  const contents = joinPieces(sent);
  const turns: Growing[] = [];
  const round = story.openRound(contents.filter(({ role }) => role === 'model').length);
  const total = contents.filter(({ role }) => role === 'model').length;
  for (const [at, content] of contents.entries()) {
    onlyMembers(content, ['role', 'parts'], unknown(`contents[${at}]`));
    const parts = list(content['parts']);
    if (parts.length === 0)
      refuse('* GenerateContentRequest.contents.parts: contents.parts must not be empty.');
    if (content['role'] !== 'user' && content['role'] !== 'model')
      refuse('Please use a valid role: user, model.');
    for (const [index, part] of parts.entries()) {
      onlyMembers(part, PART_MEMBERS, unknown(`contents[${at}].parts[${index}]`));
      onlyMembers(object(part['functionCall']), ['name', 'args', 'id'], unknown('function_call'));
      onlyMembers(
        object(part['functionResponse']),
        ['name', 'response', 'id', 'parts', 'willContinue', 'scheduling'],
        unknown('function_response'),
      );
      const { mimeType, data } = object(part['inlineData']);
      if (part['inlineData'] !== undefined) {
        // Google takes the url-safe alphabet beside the ordinary one.
        if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text(data)))
          refuse(`Invalid value at 'contents[${at}].parts[${index}].inline_data.data' (TYPE_BYTES)`);
        checkMagic(text(mimeType), text(data), `contents[${at}].parts[${index}]`);
      }
      if (Object.keys(part).filter((name) => /^(text|inlineData|fileData|function)/.test(name)).length !== 1)
        refuse(
          `contents[${at}].parts[${index}].data: required oneof field 'data' must have one initialized field`,
        );
    }
    if (content['role'] === 'model') {
      if (contents[at - 1]?.['role'] !== 'user')
        refuse(
          'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
        );
      turns.push(modelTurn(parts, turns.length, turns.length >= total - round, story));
      continue;
    }
    const responses = parts
      .filter((part) => part['functionResponse'] !== undefined)
      .map((part) => object(part['functionResponse']));
    const calls = contents[at - 1]?.['role'] === 'model' ? (turns.at(-1)?.calls ?? []) : [];
    if (responses.length !== calls.length)
      refuse(
        'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.',
      );
    for (const [index, response] of responses.entries()) {
      if (response['name'] !== calls[index]?.name)
        refuse(`Function response ${text(response['name'])} does not match the call ${calls[index]?.name}`);
      const { response: given } = response;
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        refuse(
          `Invalid value at 'contents[${at}].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct)`,
        );
      const names = list(response['parts']).map((part) => text(object(part['inlineData'])['displayName']));
      for (const name of referencesIn(given))
        if (!names.includes(name))
          refuse(
            `The referenced name \`${name}\` in function_response.response does not match to a display_name in the function_response.parts.`,
          );
      const { output, result, content: inside } = object(given);
      const words = output ?? result ?? inside ?? JSON.stringify(given);
      turns.at(-1)?.results.push({ id: calls[index]?.id ?? '', text: text(words) || JSON.stringify(given) });
    }
  }
  return turns;
}

/** Values of `$ref` anywhere in a result. */
function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return Object.entries(object(value)).flatMap(([name, inner]) =>
    name === '$ref' ? [text(inner)] : referencesIn(inner),
  );
}

function modelTurn(parts: readonly Json[], index: number, isOpen: boolean, story: Story): Growing {
  let said = '';
  let thought = '';
  const calls: Turn['calls'][number][] = [];
  let signatures = 0;
  for (const part of parts) {
    const state = checkSignature(part, index, story);
    if (state === 'kept') signatures += 1;
    if (part['functionCall'] !== undefined) {
      const { name, args } = object(part['functionCall']);
      if (calls.length === 0 && state === 'none' && isOpen)
        refuse(
          `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${text(name)}\` , position 2.`,
        );
      if (calls.length > 0 && state === 'kept')
        refuse('A signature stands at the first of parallel calls only.');
      calls.push({ id: `${index}_${calls.length}`, name: text(name), args: object(args) });
    } else if (part['thought'] === true) {
      // Their words are not looked at: only the signature counts.
      thought += text(part['text']);
    } else said += text(part['text']);
  }
  const isChanged = thought !== '' && thought !== story.stepAt(index).thought;
  return { text: said, calls, results: [], signatures, isChanged };
}

function checkTools(body: Json): void {
  for (const [at, tool] of list(body['tools']).entries()) {
    onlyMembers(
      tool,
      [
        'functionDeclarations',
        'googleSearch',
        'googleSearchRetrieval',
        'googleMaps',
        'codeExecution',
        'computerUse',
        'fileSearch',
        'urlContext',
      ],
      unknown(`tools[${at}]`),
    );
    for (const made of list(tool['functionDeclarations'])) {
      onlyMembers(
        made,
        ['name', 'description', 'parameters', 'parametersJsonSchema', 'response', 'behavior'],
        unknown('function_declarations[0]'),
      );
      if (made['parameters'] === undefined) continue;
      checkGoogleSchema(made['parameters'], `tools[${at}].function_declarations[0].parameters`);
      if (
        text(object(made['parameters'])['type']).toUpperCase() === 'OBJECT' &&
        Object.keys(object(object(made['parameters'])['properties'])).length === 0
      )
        refuse(
          '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties: should be non-empty for OBJECT type',
        );
    }
  }
  const config = object(body['generationConfig']);
  onlyMembers(config, CONFIG_MEMBERS, unknown('generation_config'));
  if (config['responseSchema'] !== undefined)
    checkGoogleSchema(config['responseSchema'], 'generation_config.response_schema');
  const thinking = object(config['thinkingConfig']);
  if (thinking['thinkingBudget'] !== undefined && thinking['thinkingLevel'] !== undefined)
    refuse('You can only set only one of thinking budget and thinking level.');
}

/** Members named by the caller: they keep their names. */
const FREE = new Set([
  'args',
  'response',
  'properties',
  'parametersJsonSchema',
  'responseJsonSchema',
  'labels',
]);

/** Google reads members in both spellings, `inline_data` and `inlineData`. */
function camelNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelNames);
  if (typeof value !== 'object' || value === null) return value;
  const renamed = Object.entries(value).map(([name, inner]) => {
    const camel = name.replaceAll(/(?<=[a-z])_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
    return [camel, FREE.has(camel) ? inner : camelNames(inner)];
  });
  return Object.fromEntries(renamed);
}

/** Google's generateContent, as Gemini 3 takes it (https://ai.google.dev/api/generate-content, read 2026-11-21). */
export const geminiGrammar: StrictGrammar = {
  understand: (given, { path }, story) => {
    const body = object(camelNames(given));
    onlyMembers(body, MEMBERS, unknown(''));
    checkTools(body);
    const contents = list(body['contents']);
    return {
      turns: turnsOf(contents, story),
      isStreamed: path.endsWith(':streamGenerateContent'),
      isThinking: object(object(body['generationConfig'])['thinkingConfig'])['includeThoughts'] === true,
      marks: 0,
      pictures: mediaOf(contents).filter((type) => type.startsWith('image/')).length,
      files: mediaOf(contents).filter((type) => !type.startsWith('image/')).length,
    };
  },
  answer: (wanted, response) => {
    const { step, isThinking } = wanted;
    const parts: Json[] = [];
    const say = (part: Json, words: string): void => {
      for (const piece of wanted.isStreamed ? pieces(words) : [words]) parts.push({ text: piece, ...part });
    };
    if (isThinking) say({ thought: true }, step.thought);
    if (step.text !== '') say({}, step.text);
    if (step.calls.length === 0) parts.push({ text: '', thoughtSignature: sealed(step.index) });
    for (const [at, { name, args }] of step.calls.entries())
      parts.push({
        functionCall: { name, args },
        ...(at === 0 ? { thoughtSignature: sealed(step.index) } : {}),
      });
    if (!wanted.isStreamed) return sendJson(response, documentOf(wanted, parts, true));
    sendEvents(
      response,
      parts.map((part, at) => documentOf(wanted, [part], at === parts.length - 1)),
    );
  },
  refusal: (message) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  // https://ai.google.dev/gemini-api/docs/troubleshooting, read 2026-11-25.
  failures: {
    'rate-limited': {
      status: 429,
      body: {
        error: {
          code: 429,
          message: 'You exceeded your current quota. Please retry in 7s.',
          status: 'RESOURCE_EXHAUSTED',
          details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
        },
      },
    },
    'too-long': {
      status: 400,
      body: errorOf(
        400,
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
        'INVALID_ARGUMENT',
      ),
    },
    overloaded: {
      status: 503,
      body: errorOf(503, 'The model is overloaded. Please try again later.', 'UNAVAILABLE'),
    },
  },
};

function errorOf(code: number, message: string, status: string): Json {
  return { error: { code, message, status } };
}

/** Types of what stands in the request beside words. */
const mediaOf = (contents: readonly Json[]): string[] =>
  contents
    .flatMap(({ parts }) => list(parts))
    .filter((part) => part['inlineData'] !== undefined)
    .map((part) => text(object(part['inlineData'])['mimeType']));

/** Sources of the text, in the form of Google's search. */
function groundingOf({ text: said, sources }: Wanted['step']): Json {
  if (sources === undefined) return {};
  return {
    groundingMetadata: {
      webSearchQueries: ['weather'],
      groundingChunks: sources.map(({ url, title }) => ({ web: { uri: url, title } })),
      groundingSupports: sources.map((_source, at) => ({
        segment: { startIndex: 0, endIndex: Buffer.byteLength(said), text: said },
        groundingChunkIndices: [at],
      })),
    },
  };
}

function documentOf({ step }: Wanted, parts: readonly Json[], isLast: boolean): Json {
  const candidate = { content: { role: 'model', parts }, index: 0 };
  return {
    candidates: [isLast ? { ...candidate, finishReason: 'STOP', ...groundingOf(step) } : candidate],
    usageMetadata: {
      promptTokenCount: SPENT.fresh + SPENT.cached,
      cachedContentTokenCount: SPENT.cached,
      candidatesTokenCount: SPENT.output - SPENT.thinking,
      thoughtsTokenCount: SPENT.thinking,
      totalTokenCount: SPENT.fresh + SPENT.cached + SPENT.output,
    },
    modelVersion: 'gemini-3-pro-preview',
    responseId: `resp-${step.index}`,
  };
}
