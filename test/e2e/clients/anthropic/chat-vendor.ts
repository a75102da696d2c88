import { object } from '../../../support/strict-vendors/story.js';
import { refusalOf } from '../../../support/strict-vendors/request-check.js';
import { answerJson, type ScriptedVendor } from '../../vendors/media/scripted-vendor.js';

/** An vendor of OpenAI’s format that answers one message, whole or streamed. */
export function answerChat(
  vendor: ScriptedVendor,
  message: Record<string, unknown>,
  finish: string,
  usage: Record<string, unknown>,
): void {
  const head = { id: 'chatcmpl-1', created: 1, model: 'gpt-x' };
  vendor.on('/v1/chat/completions', ({ path, headers, body }, response) => {
    const asked = object(JSON.parse(body.toString()));
    const refusal = refusalOf(path, asked, headers);
    if (refusal !== undefined) return answerJson(response, refusal.body, 400);
    const { stream } = asked;
    if (stream !== true) {
      const choices = [
        { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish },
      ];
      return answerJson(response, { ...head, object: 'chat.completion', choices, usage });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (choices: unknown[], more: object = {}): void => {
      response.write(
        `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`,
      );
    };
    const delta = (change: object): void => chunk([{ index: 0, delta: change, finish_reason: null }]);
    delta({ role: 'assistant', content: '' });
    for (const [name, value] of Object.entries(message)) {
      if (typeof value === 'string') {
        delta({ [name]: value.slice(0, 2) });
        delta({ [name]: value.slice(2) });
      } else if (Array.isArray(value)) streamCalls(value as Call[], delta);
    }
    chunk([{ index: 0, delta: {}, finish_reason: finish }]);
    chunk([], { usage });
    response.end('data: [DONE]\n\n');
  });
}

/** A tool call of the OpenAI format. */
export interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Parallel calls, their arguments interleaved. */
function streamCalls(calls: readonly Call[], delta: (change: object) => void): void {
  for (const [index, call] of calls.entries()) {
    delta({
      tool_calls: [
        { index, id: call.id, type: 'function', function: { name: call.function.name, arguments: '' } },
      ],
    });
  }
  for (const half of [0, 1]) {
    for (const [index, { function: called }] of calls.entries()) {
      const middle = Math.floor(called.arguments.length / 2);
      const piece = half === 0 ? called.arguments.slice(0, middle) : called.arguments.slice(middle);
      if (piece !== '') delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
}
