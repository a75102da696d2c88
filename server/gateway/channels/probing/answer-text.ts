import { parseJson } from '../../../common/parse-json.js';
import type { CollectedReply } from './collected-reply.js';

/** Text of an answer in any dialect's shape: whole, streamed, or what there is in place of text. */
export function answerTextOf(reply: CollectedReply, isStream: boolean): string {
  const { contentType, sizeBytes, text } = reply;
  const [mediaType = ''] = contentType.split(';');
  if (/^(?:audio|video)\/|^application\/octet-stream/.test(mediaType))
    return `${mediaType}, ${sizeBytes} bytes`;
  if (!isStream) return textIn(parseJson(text));
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => deltaIn(parseJson(line.slice('data: '.length))))
    .join('');
}

/** Chat completions, completions, Anthropic, Gemini, Responses, lists of vectors, pictures or results. */
function textIn(answer: unknown): string {
  const choice = first(answer, 'choices');
  const direct = at(at(choice, 'message'), 'content') ?? at(choice, 'text') ?? at(answer, 'text');
  if (typeof direct === 'string') return direct;
  const outputs = listAt(answer, 'output').flatMap((item) => listAt(item, 'content'));
  const parts = [...listAt(answer, 'content'), ...partsOf(answer), ...outputs];
  if (parts.length > 0) return parts.map((part) => textOf(at(part, 'text'))).join('');
  const data = listAt(answer, 'data');
  if (data.length > 0)
    return `${data.length} × ${at(data[0], 'embedding') === undefined ? 'image' : 'embedding'}`;
  const results = listAt(answer, 'results');
  return results.length > 0 ? `${results.length} × result` : '';
}

/** Events whose `delta` is what was said, or heard. */
const TEXT_DELTA_EVENTS: ReadonlySet<unknown> = new Set([
  'response.output_text.delta',
  'transcript.text.delta',
]);

function deltaIn(frame: unknown): string {
  const choice = first(frame, 'choices');
  const direct = at(at(choice, 'delta'), 'content') ?? at(choice, 'text');
  if (typeof direct === 'string') return direct;
  if (TEXT_DELTA_EVENTS.has(at(frame, 'type'))) return textOf(at(frame, 'delta'));
  if (at(frame, 'type') === 'content_block_delta') return textOf(at(at(frame, 'delta'), 'text'));
  return partsOf(frame)
    .map((part) => textOf(at(part, 'text')))
    .join('');
}

const partsOf = (answer: unknown): readonly unknown[] =>
  listAt(at(first(answer, 'candidates'), 'content'), 'parts');

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const list = at(value, name);
  return Array.isArray(list) ? list : [];
}

const first = (value: unknown, name: string): unknown => listAt(value, name)[0];
