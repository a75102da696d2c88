import { signatureOf } from './claude-rules.js';
import { AWS_STREAM, awsFrame } from '../aws-frames.js';
import {
  checkBase64,
  checkMagic,
  FORM,
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
import { checkClaudeSchema } from './schema-rules.js';
import { sendJson, type StrictGrammar, type Wanted } from './strict-grammar.js';

const unexpected = (place: string) => (name: string) => `${place}: unexpected field ${name}`;
const MEMBERS = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'guardrailConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
  'requestMetadata',
  'performanceConfig',
  'promptVariables',
  'outputConfig',
  'serviceTier',
];
const BLOCKS = [
  'text',
  'image',
  'document',
  'toolUse',
  'toolResult',
  'reasoningContent',
  'cachePoint',
  'guardContent',
];

/**
 * Names of tools and their calls (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html, read
 * 2026-11-26).
 */
const NAME = /^[\w-]{1,64}$/;
const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
const PAPERS = ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'];

/** Images and documents: formats by name, bytes of that format, names of allowed characters. */
function checkMedia({ image, document }: Json, place: string): void {
  if (image !== undefined) {
    const { format, source, ...rest } = object(image);
    onlyMembers(rest, [], unexpected(`${place}.image`));
    const type =
      PICTURES[text(format)] ?? refuse(`${place}.image.format: ${String(format)} is no enum value`);
    checkBytes(object(source), `${place}.image`, type);
  }
  if (document === undefined) return;
  const { format, name, source, ...rest } = object(document);
  onlyMembers(rest, ['context', 'citations'], unexpected(`${place}.document`));
  if (!PAPERS.includes(text(format))) refuse(`${place}.document.format: ${String(format)} is no enum value`);
  if (!/^(?!.*\s\s)[A-Za-z0-9\s()[\]-]{1,200}$/.test(text(name)))
    refuse(
      "The document file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets. The name can't contain more than one consecutive whitespace character.",
    );
  checkBytes(object(source), `${place}.document`);
}

function checkBytes(source: Json, place: string, type?: string): void {
  const [member = ''] = Object.keys(source);
  if (!['bytes', 's3Location', 'text', 'content'].includes(member)) refuse(`${place}.source: is empty`);
  if (member !== 'bytes') return;
  checkBase64(text(source['bytes']), `${place}.source.bytes`);
  if (type !== undefined) checkMagic(type, text(source['bytes']), `${place}.source.bytes`);
}

function checkResult(result: Json): void {
  onlyMembers(result, ['toolUseId', 'content', 'status'], unexpected('toolResult'));
  if (!['success', 'error', undefined].includes(result['status'] as string | undefined))
    refuse(`toolResult.status: ${String(result['status'])} is no enum value`);
  for (const part of list(result['content'])) {
    onlyMembers(part, ['text', 'json', 'image', 'document', 'video'], unexpected('toolResult.content'));
    if (Object.keys(part).length !== 1)
      refuse('toolResult.content: exactly one member of the union must be set');
    checkMedia(part, 'toolResult.content');
    const { json } = part;
    if ('json' in part && (typeof json !== 'object' || json === null || Array.isArray(json)))
      refuse(
        'The format of the value at toolResult.content.0.json is invalid. Provide a json object for the field.',
      );
  }
}

/** Bounds (https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InferenceConfiguration.html, read 2026-11-26). */
function checkSettings(body: Json): void {
  const config = object(body['inferenceConfig']);
  onlyMembers(config, ['maxTokens', 'temperature', 'topP', 'stopSequences'], unexpected('inferenceConfig'));
  const { maxTokens, stopSequences } = config;
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && Number(maxTokens) >= 1))
    refuse('inferenceConfig.maxTokens: must be greater than or equal to 1');
  for (const name of ['temperature', 'topP']) {
    const value = config[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0 && value <= 1))
      refuse(`inferenceConfig.${name}: must be from 0 to 1`);
  }
  if (
    stopSequences !== undefined &&
    !(Array.isArray(stopSequences) && stopSequences.every((one) => one !== ''))
  )
    refuse('inferenceConfig.stopSequences: members must have a length of at least 1');
  for (const block of list(body['system'])) {
    onlyMembers(block, ['text', 'cachePoint', 'guardContent'], unexpected('system'));
    if ('text' in block && text(block['text']).trim() === '')
      refuse(
        'The text field in the ContentBlock object at system.0 is blank. Add text to the text field, and try again.',
      );
  }
}

type Growing = {
  text: string;
  calls: Turn['calls'][number][];
  results: { id: string; text: string }[];
  signatures: number;
};

function turnsOf(messages: readonly Json[], story: Story): Turn[] {
  const turns: Growing[] = [];
  for (const [at, message] of messages.entries()) {
    onlyMembers(message, ['role', 'content'], unexpected(`messages.${at}`));
    if (message['role'] === messages[at - 1]?.['role'] || (at === 0 && message['role'] !== 'user'))
      refuse(
        'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
      );
    const blocks = list(message['content']);
    if (blocks.length === 0)
      refuse(
        `The content field in the Message object at messages.${at} is empty. Add a ContentBlock object to the content field and try again.`,
      );
    for (const block of blocks) {
      onlyMembers(block, BLOCKS, unexpected(`messages.${at}.content`));
      if (Object.keys(block).length !== 1)
        refuse(`messages.${at}.content: exactly one member of the union must be set`);
      checkMedia(block, `messages.${at}.content`);
      if (block['text'] !== undefined && text(block['text']).trim() === '')
        refuse(
          `The text field in the ContentBlock object at messages.${at}.content.0 is blank. Add text to the text field, and try again.`,
        );
    }
    if (message['role'] === 'assistant') turns.push(assistantTurn(blocks, turns.length, at, story));
    else {
      const results = blocks
        .filter(({ toolResult }) => toolResult !== undefined)
        .map(({ toolResult }) => object(toolResult));
      const due = at === 0 ? [] : (turns.at(-1)?.calls ?? []);
      if (due.some(({ id }) => !results.some(({ toolUseId }) => toolUseId === id)))
        refuse(
          `Expected toolResult blocks at messages.${at}.content for the following Ids: ${due.map(({ id }) => id).join()}`,
        );
      if (results.length > due.length)
        refuse(
          `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
        );
      if (blocks.some(({ document }) => document !== undefined) && !blocks.some((block) => 'text' in block))
        refuse('Include a text block in the content field to use documents.');
      for (const result of results) {
        checkResult(result);
        const [first] = list(result['content']);
        const words = first?.['json'] === undefined ? text(first?.['text']) : JSON.stringify(first['json']);
        turns.at(-1)?.results.push({ id: text(result['toolUseId']), text: words });
      }
    }
  }
  return turns;
}

function assistantTurn(blocks: readonly Json[], index: number, at: number, story: Story): Growing {
  const turn: Growing = { text: '', calls: [], results: [], signatures: 0 };
  for (const [position, block] of blocks.entries()) {
    if (block['reasoningContent'] !== undefined) {
      const { thought } = story.stepAt(index);
      const { text: words, signature } = object(object(block['reasoningContent'])['reasoningText']);
      if (story.isForeign !== true && (words !== thought || signature !== signatureOf(thought)))
        refuse(
          `The model returned the following errors: messages.${at}.content.${position}: Invalid \`signature\` in \`thinking\` block`,
        );
      if (position !== 0) refuse(`messages.${at}: a thought comes first`);
      turn.signatures += 1;
    } else if (block['toolUse'] !== undefined) {
      const use = object(block['toolUse']);
      onlyMembers(use, ['toolUseId', 'name', 'input', 'type'], unexpected('toolUse'));
      for (const name of ['toolUseId', 'name'])
        if (!NAME.test(text(use[name])))
          refuse(
            `1 validation error detected: Value '${text(use[name])}' at '${name}' failed to satisfy constraint`,
          );
      if (turn.calls.some(({ id }) => id === use['toolUseId']))
        refuse(`messages.${at}.content: \`tool_use\` ids must be unique`);
      if (typeof use['input'] !== 'object' || use['input'] === null || Array.isArray(use['input']))
        refuse(
          `The format of the value at messages.${at}.content.${position}.toolUse.input is invalid. Provide a json object for the field and try again.`,
        );
      turn.calls.push({ id: text(use['toolUseId']), name: text(use['name']), args: object(use['input']) });
    } else turn.text += text(block['text']);
  }
  return turn;
}

function checkTools(body: Json, isThinking: boolean, turns: readonly Turn[], story: Story): void {
  const config = object(body['toolConfig']);
  onlyMembers(config, ['tools', 'toolChoice'], unexpected('toolConfig'));
  const hasCalls = turns.some(({ calls }) => calls.length > 0);
  if (body['toolConfig'] === undefined && hasCalls)
    refuse('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
  if (body['toolConfig'] !== undefined && list(config['tools']).length === 0)
    refuse('toolConfig.tools: length must be at least 1');
  for (const tool of list(config['tools'])) {
    if (tool['cachePoint'] !== undefined) continue;
    const spec = object(tool['toolSpec']);
    onlyMembers(spec, ['name', 'description', 'inputSchema', 'strict'], unexpected('toolSpec'));
    if (object(object(spec['inputSchema'])['json'])['type'] !== 'object')
      refuse(
        'The value at toolConfig.tools.0.toolSpec.inputSchema.json.type must be one of the following: object.',
      );
    if (!NAME.test(text(spec['name'])))
      refuse(
        `Value '${text(spec['name'])}' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint`,
      );
    if (spec['description'] === '')
      refuse('toolConfig.tools.0.toolSpec.description: length must be at least 1');
  }
  const choice = object(config['toolChoice']);
  if (isThinking && (choice['tool'] !== undefined || choice['any'] !== undefined))
    refuse(
      'The model returned the following errors: Thinking may not be enabled when tool_choice forces tool use.',
    );
  const open = turns.slice(turns.length - story.openRound(turns.length));
  if (isThinking && open.some(({ signatures }) => signatures === 0))
    refuse(
      'The model returned the following errors: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    );
}

/** Bedrock's Converse with a Claude behind it (https://docs.aws.amazon.com/bedrock, read 2026-11-21). */
export const converseGrammar: StrictGrammar = {
  understand: (body, { path }, story) => {
    onlyMembers(body, MEMBERS, unexpected('The request'));
    checkSettings(body);
    const turns = turnsOf(list(body['messages']), story);
    const thinking = object(object(body['additionalModelRequestFields'])['thinking']);
    const isThinking = thinking['type'] === 'enabled';
    const format = object(object(object(body['additionalModelRequestFields'])['output_config'])['format']);
    if (format['schema'] !== undefined) checkClaudeSchema(format['schema'], 'output_config.format.schema');
    checkTools(body, isThinking, turns, story);
    const { maxTokens, temperature } = object(body['inferenceConfig']);
    if (isThinking && !(Number(maxTokens) > Number(thinking['budget_tokens'])))
      refuse(
        'The model returned the following errors: `max_tokens` must be greater than `thinking.budget_tokens`.',
      );
    if (isThinking && temperature !== undefined && temperature !== 1)
      refuse(
        'The model returned the following errors: `temperature` may only be set to 1 when thinking is enabled.',
      );
    return {
      turns,
      isStreamed: path.endsWith('/converse-stream'),
      isThinking,
      marks: JSON.stringify(body).split('"cachePoint":{').length - 1,
      pictures: JSON.stringify(body['messages']).split('"image":{').length - 1,
    };
  },
  answer: (wanted, response) => {
    const content = contentOf(wanted);
    const stopReason = content.some(({ toolUse }) => toolUse !== undefined) ? 'tool_use' : 'end_turn';
    if (!wanted.isStreamed)
      return sendJson(response, {
        output: { message: { role: 'assistant', content } },
        stopReason,
        usage: USAGE,
        metrics: { latencyMs: 5 },
      });
    response.writeHead(200, { 'content-type': AWS_STREAM });
    response.end(Buffer.concat(framesOf(content, stopReason)));
  },
  refusal: (message) => ({ message }),
};

const USAGE = {
  inputTokens: SPENT.fresh,
  outputTokens: SPENT.output,
  totalTokens: SPENT.fresh + SPENT.cached + SPENT.written + SPENT.output,
  cacheReadInputTokens: SPENT.cached,
  cacheWriteInputTokens: SPENT.written,
};

function contentOf({ step, isThinking, body }: Wanted): Json[] {
  const forced = text(object(object(object(body['toolConfig'])['toolChoice'])['tool'])['name']);
  const thought = { reasoningText: { text: step.thought, signature: signatureOf(step.thought) } };
  return [
    ...(isThinking ? [{ reasoningContent: thought }] : []),
    ...(forced === ''
      ? step.text === ''
        ? []
        : [{ text: step.text }]
      : [{ toolUse: { toolUseId: 'forced_1', name: forced, input: FORM } }]),
    ...step.calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
  ];
}

function framesOf(content: readonly Json[], stopReason: string): Buffer[] {
  const frames = [awsFrame('messageStart', { role: 'assistant' })];
  for (const [contentBlockIndex, block] of content.entries()) {
    const delta = (value: Json): void => {
      frames.push(awsFrame('contentBlockDelta', { contentBlockIndex, delta: value }));
    };
    const use = object(block['toolUse']);
    const thought = object(object(block['reasoningContent'])['reasoningText']);
    if (block['toolUse'] !== undefined) {
      const start = { toolUse: { toolUseId: use['toolUseId'], name: use['name'] } };
      frames.push(awsFrame('contentBlockStart', { contentBlockIndex, start }));
      for (const input of pieces(JSON.stringify(use['input']))) delta({ toolUse: { input } });
    } else if (block['reasoningContent'] !== undefined) {
      for (const piece of pieces(text(thought['text']))) delta({ reasoningContent: { text: piece } });
      delta({ reasoningContent: { signature: thought['signature'] } });
    } else for (const piece of pieces(text(block['text']))) delta({ text: piece });
    frames.push(awsFrame('contentBlockStop', { contentBlockIndex }));
  }
  frames.push(
    awsFrame('messageStop', { stopReason }),
    awsFrame('metadata', { usage: USAGE, metrics: { latencyMs: 5 } }),
  );
  return frames;
}
