import type { Message } from '../../../model/chat.js';
import type { ContentPart } from '../../../model/content.js';

/** A turn as the vendor takes it. */
export interface BaiduTurn {
  readonly role: 'user' | 'assistant' | 'function';
  readonly name?: string;
  readonly content: string;
  readonly function_call?: { readonly name: string; readonly arguments: string };
}

/** Stands where the vendor wants somebody to have spoken and nobody has; it refuses empty words. */
const EMPTY_TURN_TEXT = ' ';

/** What a conversation's instructions say, in their order; undefined = there are none. */
export function systemOf(messages: readonly Message[]): string | undefined {
  const words = messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [joinedText(message.content)] : [],
  );
  return words.length === 0 ? undefined : words.join('\n');
}

/**
 * Turns in the vendor's order: user and assistant by turns, the first and the last of them the user's, one call per turn, each
 * followed by its result, which stands in the user's place.
 * @param messages  in order: results stand behind their calls
 */
export function writeTurns(messages: readonly Message[]): readonly BaiduTurn[] {
  const turns: BaiduTurn[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role === 'user')
      add(turns, { role: 'user', content: joinedText(message.content) || EMPTY_TURN_TEXT });
    else if (message.role === 'assistant') writeAnswer(turns, message.content, resultsBehind(messages, at));
  }
  if (turns.at(-1)?.role === 'assistant' || turns.length === 0)
    add(turns, { role: 'user', content: EMPTY_TURN_TEXT });
  return turns;
}

/** Results of the calls of one answer: ids may come again in a later one. */
function resultsBehind(messages: readonly Message[], at: number): ReadonlyMap<string, string> {
  const results = new Map<string, string>();
  for (let next = at + 1; next < messages.length; next += 1) {
    const message = messages[next];
    if (message?.role !== 'tool') break;
    results.set(message.callId, joinedText(message.content));
  }
  return results;
}

function writeAnswer(
  turns: BaiduTurn[],
  content: readonly ContentPart[],
  results: ReadonlyMap<string, string>,
): void {
  let words = joinedText(content);
  const calls = content.filter((part) => part.type === 'tool-call');
  if (calls.length === 0 && words !== '') add(turns, { role: 'assistant', content: words });
  for (const { callId, name, json } of calls) {
    const call = { name, arguments: json === '' ? '{}' : json };
    add(turns, { role: 'assistant', content: words, function_call: call });
    add(turns, { role: 'function', name, content: results.get(callId) || EMPTY_TURN_TEXT });
    words = '';
  }
}

/** Keeps the order of turns: neighbours of one kind are joined, and where the other side said nothing it says so. */
function add(turns: BaiduTurn[], turn: BaiduTurn): void {
  const last = turns.at(-1);
  const isAnswer = turn.role === 'assistant';
  if (last === undefined) {
    if (isAnswer) turns.push({ role: 'user', content: EMPTY_TURN_TEXT });
  } else if ((last.role === 'assistant') === isAnswer) {
    if (last.role === turn.role && last.function_call === undefined && turn.role !== 'function') {
      turns[turns.length - 1] = { ...turn, content: `${last.content}\n${turn.content}` };
      return;
    }
    turns.push({ role: isAnswer ? 'user' : 'assistant', content: EMPTY_TURN_TEXT });
  }
  turns.push(turn);
}

const joinedText = (content: readonly ContentPart[]): string =>
  content.flatMap((part) => (part.type === 'text' || part.type === 'refusal' ? [part.text] : [])).join('\n');
