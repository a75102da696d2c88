import { list, object, type Json } from './strict-vendors/story.js';

/** A request as the scripted vendor reads it. */
export interface VendorCall {
  readonly type: number;
  readonly model: string;
  /** OpenAI itself, or a host that is known to take its newest form. */
  readonly isOpenai: boolean;
  readonly body: Json;
}

/** A vendor's refusal, as its server words it; undefined = the request is taken. */
export type Rule = (call: VendorCall) => string | undefined;

const rolesOf = (turns: unknown): readonly string[] =>
  list(turns).map((turn) => String(object(turn)['role'] ?? ''));
const isInstruction = (role: string): boolean => role === 'system' || role === 'developer';

/** Types whose vendors take instructions anywhere, or in a place of their own. */
const TAKES_ALL: ReadonlySet<number> = new Set([3, 14, 24, 33]);
const DEVELOPER: Readonly<Record<number, string>> = {
  17: "developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['1].role'",
  26: '{"code":"1214","message":"Incorrect role information"}',
  35: 'invalid params, invalid message role: developer (2013)',
  42: "Input tag 'developer' found using 'role' does not match any of the expected tags: 'system', 'user', 'assistant', 'tool'",
  43: 'unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`',
};

/** https://github.com/losesky/ai-auto-trading/issues/14, https://github.com/openclaw/openclaw/issues/23115 (read 2026-11-29). */
const knownRoles: Rule = ({ type, isOpenai, body }) => {
  if (isOpenai || TAKES_ALL.has(type)) return undefined;
  const roles = [...rolesOf(body['messages']), ...rolesOf(body['input']), ...rolesOf(body['Messages'])];
  return roles.includes('developer') ? (DEVELOPER[type] ?? 'role `developer` is not supported') : undefined;
};

/** https://github.com/raullenchai/Rapid-MLX/issues/1543, https://github.com/farion1231/cc-switch/issues/3281 (read 2026-11-29). */
const oneSystemAtTheHead: Rule = ({ type, isOpenai, body }) => {
  if (isOpenai || TAKES_ALL.has(type)) return undefined;
  const isMessages = typeof body['max_tokens'] === 'number' && 'system' in body && !('input' in body);
  for (const turns of [body['messages'], body['input'], body['Messages']]) {
    const places = rolesOf(turns).flatMap((role, at) => (isInstruction(role) ? [at] : []));
    if (isMessages && places.length > 0) return 'unknown variant `system`, expected `user` or `assistant`';
    const isOutside = typeof body['instructions'] === 'string';
    if (places.length > (isOutside ? 0 : 1) || places.some((at) => at > 0))
      return type === 35
        ? 'invalid params, chat content has invalid message role: system (2013)'
        : 'System message must be at the beginning.';
  }
  return undefined;
};

/** Longest identifiers of end users; https://github.com/looplj/axonhub/issues/1669, langgenius/dify/pull/2596 (read 2026-11-29). */
const USER_BOUNDS: Readonly<Record<number, number>> = {
  18: 32,
  20: 128,
  25: 32,
  26: 128,
  37: 255,
  43: 512,
  45: 128,
  49: 255,
};
const shortUser: Rule = ({ type, body }) => {
  if ([14, 24, 33, 41].includes(type)) return undefined;
  const most = USER_BOUNDS[type] ?? 64;
  for (const value of [body['user'], body['user_id'], object(body['metadata'])['user_id']]) {
    if (value === undefined) continue;
    const id = String(value);
    if (id.length > most)
      return `Invalid 'user': string too long. Expected a string with maximum length ${most}, but got a string with length ${id.length} instead.`;
    if (type === 43 && !/^[\w-]+$/.test(id))
      return "Invalid 'user_id': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
    if (type === 26 && id.length < 6)
      return 'user_id: The unique ID of the user must be between 6 and 128 characters in length.';
  }
  return undefined;
};

const TAKES_BOTH_CAPS: ReadonlySet<number> = new Set([1, 3, 6, 7, 9, 10, 12, 13, 20, 25, 48, 59, 60]);
const knownCap: Rule = ({ type, isOpenai, body }) =>
  isOpenai || (TAKES_BOTH_CAPS.has(type) && type !== 1) || body['max_completion_tokens'] === undefined
    ? undefined
    : 'max_completion_tokens: Extra inputs are not permitted';

/** https://github.com/langchain4j/langchain4j/issues/3974 (read 2026-11-29). */
const thinksInStreams: Rule = ({ type, model, body }) => {
  if (type !== 17 || body['stream'] === true || body['input'] !== undefined) return undefined;
  const isOn = body['enable_thinking'] ?? /^qwen3-\d+b$/.test(model);
  return isOn === true && body['messages'] !== undefined && body['system'] === undefined
    ? 'parameter.enable_thinking must be set to false for non-streaming calls'
    : undefined;
};

/** https://github.com/CherryHQ/cherry-studio/issues/16431 (read 2026-11-29). */
const minimaxThinking: Rule = ({ type, body }) => {
  if (type !== 35 || 'system' in body) return undefined;
  if (body['reasoning_effort'] !== undefined) return 'invalid params, unknown field reasoning_effort (2013)';
  const word = object(body['thinking'])['type'];
  return word === undefined || word === 'adaptive' || word === 'disabled'
    ? undefined
    : `invalid params, invalid thinking.type: "${String(word)}" (allowed: adaptive, disabled) (2013)`;
};

const MISTRAL_TURN: ReadonlySet<string> = new Set([
  'role',
  'content',
  'tool_calls',
  'tool_call_id',
  'name',
  'prefix',
]);
const mistralMembers: Rule = ({ type, body }) => {
  if (type !== 42) return undefined;
  const unknown = ['user', 'user_id', 'service_tier', 'top_k'].find((name) => body[name] !== undefined);
  const odd = list(body['messages']).flatMap((turn) =>
    Object.keys(object(turn)).filter((name) => !MISTRAL_TURN.has(name)),
  );
  return unknown === undefined && odd.length === 0
    ? undefined
    : `{"detail":[{"type":"extra_forbidden","loc":["body","${unknown ?? odd[0]}"],"msg":"Extra inputs are not permitted"}]}`;
};

/** Types where a round of tools goes on only with its thoughts, in the form that the vendor has for them. */
const ASKS_FOR_THOUGHTS: ReadonlySet<number> = new Set([19, 22, 25, 26, 31, 35, 40, 42, 43, 45, 46, 47, 53]);
const thoughtsOfTheRound: Rule = ({ type, body }) => {
  if (!ASKS_FOR_THOUGHTS.has(type) || body['input'] !== undefined || 'system' in body) return undefined;
  const bare = list(body['messages'])
    .map(object)
    .find(
      (turn) =>
        turn['tool_calls'] !== undefined &&
        (type === 42
          ? !list(turn['content']).some((part) => object(part)['type'] === 'thinking')
          : turn['reasoning_content'] === undefined),
    );
  const isAnthropic = list(body['messages']).some(
    (turn) => Array.isArray(object(turn)['content']) && JSON.stringify(turn).includes('tool_use'),
  );
  return bare === undefined || isAnthropic
    ? undefined
    : 'The `reasoning_content` in the thinking mode must be passed back to the API.';
};

const choiceOfTools: Rule = ({ type, body }) =>
  type !== 26 || 'system' in body || body['tool_choice'] === undefined || body['tool_choice'] === 'auto'
    ? undefined
    : '{"code":"1210","message":"tool_choice: only auto is supported"}';

/** Rules by their names. */
export const RULES: Readonly<Record<string, Rule>> = {
  'roles that the vendor knows': knownRoles,
  'one system message at the head': oneSystemAtTheHead,
  'an identifier within its bound': shortUser,
  'the cap under a name that is read': knownCap,
  'thinking in streams only': thinksInStreams,
  'words for thinking that MiniMax knows': minimaxThinking,
  'no members that Mistral refuses': mistralMembers,
  'thoughts of the round': thoughtsOfTheRound,
  'choices of tools': choiceOfTools,
};
