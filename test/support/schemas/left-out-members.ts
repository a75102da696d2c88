import type { Json } from '../strict-vendors/story.js';

/** A member that a published schema requires and that no recorded answer of the vendor has as null. */
interface LeftOutMember {
  /** Path below the message; `[]` stands for any item of a list. */
  readonly path: string;
  /** Recorded messages, or text blocks, whole ones and starts of streams together. */
  readonly recorded: number;
  /** Recordings with a value for the member. */
  readonly withValue: number;
  /** Recordings with null. A member that has one is written and stands in no row. */
  readonly withNull: 0;
}

/**
 * Members of Messages answers that are left out where they have no value. Counted over 294 whole messages and 119 starts of streams of
 * api.anthropic.com, recorded by the tests of vercel/ai, pydantic-ai and rig until 2026-11. The servers' answers outweigh what the document
 * requires: @ai-sdk/anthropic 2 and 3 refuse `citations: null`. Answers of OpenAI and Google have no such member here.
 */
export const LEFT_OUT_MEMBERS: readonly LeftOutMember[] = [
  { path: 'container', recorded: 413, withValue: 28, withNull: 0 },
  { path: 'diagnostics', recorded: 413, withValue: 0, withNull: 0 },
  { path: 'content[].citations', recorded: 465, withValue: 46, withNull: 0 },
  { path: 'usage.inference_geo', recorded: 413, withValue: 316, withNull: 0 },
  { path: 'usage.output_tokens_details', recorded: 413, withValue: 45, withNull: 0 },
  { path: 'usage.server_tool_use', recorded: 413, withValue: 47, withNull: 0 },
  { path: 'usage.service_tier', recorded: 413, withValue: 395, withNull: 0 },
  { path: 'usage.speed', recorded: 413, withValue: 0, withNull: 0 },
];

const PATHS: ReadonlySet<string> = new Set(LEFT_OUT_MEMBERS.map(({ path }) => path));

/** Path of a place as a fault of the schema check names it, below the message. */
const pathOf = (place: string): string =>
  place
    .replace(/^(Message|MessageStreamEvent)\./, '')
    .replace(/^(message|delta)\./, '')
    .replace(/^content_block\./, 'content[].')
    .replace(/\[\d+\]/g, '[]');

/** True for a fault of the schema check that names one of these members as missing. */
export const isLeftOut = (fault: string): boolean =>
  fault.endsWith(' is missing') && PATHS.has(pathOf(fault.slice(0, -' is missing'.length)));

/** Paths of these members that a message or an event has as null, which no recording has. */
export function nullsNeverSent(value: unknown, place = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => nullsNeverSent(item, `${place}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Json).flatMap(([name, member]) => {
    const path = place === '' ? name : `${place}.${name}`;
    if (member === null) return PATHS.has(pathOf(path)) ? [path] : [];
    return nullsNeverSent(member, path);
  });
}
