import { list, object, onlyMembers, refuse, text, type Json, type Turn } from './story.js';

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls', 'tool_plan', 'citations'],
  tool: ['role', 'content', 'tool_call_id'],
};

/**
 * The order Cohere's `/v2/chat` wants of a conversation (https://docs.cohere.com/reference/chat, read 2026-11-25): every call
 * answered by tool messages right behind it. Fails: throws a refusal.
 */
export function cohereTurns(body: Json): Turn[] {
  const turns: {
    text: string;
    calls: Turn['calls'];
    results: { id: string; text: string }[];
    signatures: number;
  }[] = [];
  let open: string[] = [];
  for (const [at, message] of list(body['messages']).entries()) {
    const role = text(message['role']);
    const known = MEMBERS[role] ?? refuse(`invalid request: messages[${at}].role`);
    onlyMembers(message, known, (name) => `invalid request: unknown field messages[${at}].${name}`);
    if (role === 'tool') {
      const id = text(message['tool_call_id']);
      if (!open.includes(id)) refuse(`invalid tool_call_id ${id} in tool message`);
      open = open.filter((one) => one !== id);
      turns.at(-1)?.results.push({ id, text: text(message['content']) });
      continue;
    }
    if (open.length > 0) refuse(`missing tool results for tool_call_ids: ${open.join(', ')}`);
    if (role !== 'assistant') continue;
    const calls = list(message['tool_calls']).map(({ id, function: made }) => ({
      id: text(id),
      name: text(object(made)['name']),
      args: object(JSON.parse(text(object(made)['arguments']))),
    }));
    open = calls.map(({ id }) => id);
    if (new Set(open).size < open.length) refuse('duplicate tool_call_id');
    if (calls.length === 0 && text(message['content']) === '')
      refuse(`invalid request: messages[${at}] must have content or tool_calls`);
    turns.push({ text: text(message['content']), calls, results: [], signatures: 0 });
  }
  if (open.length > 0) refuse(`missing tool results for tool_call_ids: ${open.join(', ')}`);
  return turns;
}
