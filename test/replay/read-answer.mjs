/**
 * Content of an answer, by whichever package read it.
 * @typedef {object} Answer
 * @property {string} text
 * @property {string} reasoning
 * @property {{name: string, input: unknown}[]} toolCalls those the caller has to run
 * @property {string[]} serverTools names of tools the vendor ran itself
 * @property {string} finish
 * @property {string[]} sources addresses
 * @property {Record<string, number | undefined>} usage
 * @property {boolean} failed
 */

const PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }];

/** Asks a model of the AI SDK family once. @returns {Promise<Answer>} */
export async function readAnswer(model, isStream, providerOptions = {}) {
  const order = { prompt: PROMPT, maxOutputTokens: 4_000, includeRawChunks: false, providerOptions };
  try {
    if (!isStream) {
      const { content, finishReason, usage } = await model.doGenerate(order);
      return gather(content, finishReason, usage);
    }
    const { stream } = await model.doStream(order);
    return await gatherStream(stream);
  } catch (fault) {
    return { ...gather([], undefined, undefined), failed: true, fault };
  }
}

async function gatherStream(stream) {
  const blocks = new Map();
  const content = [];
  let finishReason;
  let usage;
  let failed = false;
  let fault;
  for await (const part of stream) {
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const type = part.type.replace('-delta', '');
      const key = `${type} ${part.id}`;
      const block = blocks.get(key) ?? { type, text: '' };
      if (!blocks.has(key)) {
        blocks.set(key, block);
        content.push(block);
      }
      block.text += part.delta;
    } else if (['tool-call', 'source', 'file', 'tool-result'].includes(part.type)) content.push(part);
    else if (part.type === 'finish') ({ finishReason, usage } = part);
    else if (part.type === 'error') {
      failed = true;
      fault = part.error;
    }
  }
  return { ...gather(content, finishReason, usage), failed, fault };
}

/** Expected reading of a recording whose vendor has no package. @returns {Answer} */
export const expectedAnswer = (expected) => ({ ...gather([], undefined, undefined), ...expected });

/** @returns {Answer} */
function gather(content, finishReason, usage) {
  const textOf = (type) =>
    content
      .filter((part) => part.type === type)
      .map((part) => part.text)
      .join('');
  const calls = content.filter((part) => part.type === 'tool-call');
  return {
    text: textOf('text'),
    reasoning: textOf('reasoning'),
    toolCalls: calls
      .filter((call) => call.providerExecuted !== true)
      .map((call) => ({ name: call.toolName, input: parse(call.input) })),
    serverTools: calls
      .filter((call) => call.providerExecuted === true)
      .map((call) => call.toolName)
      .sort(),
    finish: finishReason?.unified ?? 'none',
    sources: content
      .filter((part) => part.type === 'source' && part.url !== undefined)
      .map((part) => part.url)
      .sort(),
    usage: {
      input: usage?.inputTokens?.total,
      cacheRead: usage?.inputTokens?.cacheRead || undefined,
      cacheWrite: usage?.inputTokens?.cacheWrite || undefined,
      output: usage?.outputTokens?.total,
      reasoning: usage?.outputTokens?.reasoning || undefined,
    },
    failed: false,
  };
}

function parse(input) {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input === '' ? '{}' : input);
  } catch {
    return input;
  }
}
