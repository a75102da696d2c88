import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, eventsIn, FORMAT_ROUTES } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { ResponsesMeter } from './meter.js';

const message = {
  type: 'message',
  id: 'm',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hi', annotations: [] }],
};
const search = {
  type: 'custom_tool_call',
  id: 'ctc_1',
  call_id: 'xs_1',
  name: 'x_keyword_search',
  input: '{"query":"a"}',
  status: 'completed',
};
const program = (id: string, container: string) => ({
  type: 'code_interpreter_call',
  id,
  container_id: container,
  status: 'completed',
  code: 'x',
  outputs: null,
});
const usage = {
  input_tokens: 50,
  output_tokens: 20,
  total_tokens: 70,
};
const response = (output: readonly object[], details?: Readonly<Record<string, number>>) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'grok',
  output,
  usage: details === undefined ? usage : { ...usage, server_side_tool_usage_details: details },
});

/** Uses of tools that a whole answer and its stream report. */
function usesOf(answer: ReturnType<typeof response>): readonly unknown[] {
  const whole = new ResponsesMeter();
  whole.readWhole(Buffer.from(JSON.stringify(answer)));
  const streamed = new ResponsesMeter();
  const events: readonly object[] = [
    ...answer.output.map((item, at) => ({ type: 'response.output_item.done', output_index: at, item })),
    { type: 'response.completed', response: answer },
  ];
  for (const event of events) {
    const data = Buffer.from(JSON.stringify(event));
    streamed.readEvent(data, 0, data.length);
  }
  return [whole.usage?.tools, streamed.usage?.tools];
}

describe('uses of tools that a vendor ran itself', () => {
  it('takes the count of the vendor before that of the items', () => {
    const details = { web_search_calls: 0, x_search_calls: 1, code_interpreter_calls: 2, quux_calls: 4 };
    const item = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const uses = { 'x-search': 1, 'code-execution': 2, quux: 4 };
    expect(usesOf(response([item, item, message], details))).toEqual([uses, uses]);
  });

  it('counts programs by the container they ran in', () => {
    const items = [program('a', 'cntr_1'), program('b', 'cntr_1'), program('c', 'cntr_2'), message];
    const uses = { 'code-execution': 2 };
    expect(usesOf(response(items))).toEqual([uses, uses]);
  });
});

describe('a tool that a vendor ran itself', () => {
  it.each([false, true])('stays out of the calls that a client should run (streamed: %s)', async (stream) => {
    const { dialect, path } = apiNamed('messages');
    const body = { model: 'gpt-test', max_tokens: 64, messages: [{ role: 'user', content: 'q' }], stream };
    const route = FORMAT_ROUTES['responses'] ?? {};
    const reply = await callCore(new MemoryPorts(), {
      dialect,
      path,
      body,
      route,
      script: (upstream) => {
        const answer = response([search, message]);
        if (!stream) return void upstream.json(200, answer);
        const items = answer.output.flatMap((item, at) => [
          { type: 'response.output_item.added', output_index: at, item },
          { type: 'response.output_item.done', output_index: at, item },
        ]);
        const events: object[] = [...items, { type: 'response.completed', response: answer }];
        upstream
          .head()
          .events(...events.map((event) => JSON.stringify(event)))
          .end();
      },
    });
    expect(reply.text).not.toContain('x_keyword_search');
    const reasons = stream
      ? eventsIn(reply.text).flatMap(({ delta }) => (delta as { stop_reason?: string })?.stop_reason ?? [])
      : [(JSON.parse(reply.text) as { stop_reason: string }).stop_reason];
    expect(reasons).toEqual(['end_turn']);
  });
});
