import type { ChatRequest } from '../../../model/chat.js';
import type { Tool } from '../../../model/tool.js';
import { openaiChat } from '../../../formats/openai-chat/index.js';
import { openaiResponses } from '../../../formats/openai-responses/index.js';
import {
  documentOf,
  isDocument,
  listOf,
  textOf,
  type Document,
} from '../../../formats/shared/fields/json-fields.js';
import type { ProviderCall } from '../../provider.js';

const MEMBER = 'search_parameters';
const SEARCHING_NAME = /^grok-.+-search$/;

/**
 * Returns true for a chat that asks xAI for a search. Its chats refuse the old form; the tools of its Responses API take its place
 * (https://docs.x.ai/docs/guides/live-search, read 2026-11-28).
 */
export const asksForSearch = ({ members, route }: ProviderCall): boolean =>
  members?.has(MEMBER) === true ||
  members?.has('web_search_options') === true ||
  SEARCHING_NAME.test(route.upstreamModel);

/** `search_parameters` as the tools `web_search` and `x_search`; what they cannot express is left out with a warning. */
export function withSearchTools(request: ChatRequest): ChatRequest {
  const options = request.vendorOptions ?? {};
  const asked = [openaiChat.id, openaiResponses.id]
    .map((id) => options[id]?.[MEMBER])
    .find((value) => value !== undefined);
  if (asked === undefined) return request;
  const kept = Object.fromEntries(
    Object.entries(options).map(([id, { [MEMBER]: _old, ...own }]) => [id, own] as const),
  );
  const { tools, left } = isDocument(asked) ? toolsOf(asked) : { tools: [], left: {} };
  const all = [...(request.tools ?? []), ...tools];
  return {
    ...request,
    ...(all.length === 0 ? {} : { tools: all }),
    vendorOptions: { ...kept, ...(Object.keys(left).length === 0 ? {} : { 'xAI live search': left }) },
  };
}

const USUAL_SOURCES: readonly Document[] = [{ type: 'web' }, { type: 'x' }];
/** Members that the tools express, or that change nothing. */
const EXPRESSED: ReadonlySet<string> = new Set([
  'mode',
  'sources',
  'from_date',
  'to_date',
  'return_citations',
]);

function toolsOf(asked: Document): { readonly tools: readonly Tool[]; readonly left: Document } {
  const left = Object.fromEntries(Object.entries(asked).filter(([name]) => !EXPRESSED.has(name)));
  if (asked['mode'] === 'off') return { tools: [], left };
  const given = listOf(asked['sources']).map(documentOf);
  const sources = given.length === 0 ? USUAL_SOURCES : given;
  const web = sources.filter(({ type }) => type === 'web' || type === 'news');
  const posts = sources.filter(({ type }) => type === 'x');
  const values: Document[] = [];
  if (web.length > 0) {
    const filters = {
      ...listMember('allowed_domains', web, ['allowed_websites']),
      ...listMember('excluded_domains', web, ['excluded_websites']),
    };
    values.push({ type: 'web_search', ...(Object.keys(filters).length === 0 ? {} : { filters }) });
  }
  if (posts.length > 0)
    values.push({
      type: 'x_search',
      ...listMember('allowed_x_handles', posts, ['included_x_handles', 'x_handles']),
      ...listMember('excluded_x_handles', posts, ['excluded_x_handles']),
      ...dateMember(asked, 'from_date'),
      ...dateMember(asked, 'to_date'),
    });
  const others = sources.filter(({ type }) => !['web', 'news', 'x'].includes(textOf(type) ?? ''));
  return {
    tools: values.map((value): Tool => ({ type: 'vendor', apiFormat: openaiResponses.id, value })),
    left: others.length === 0 ? left : { ...left, sources: others },
  };
}

function listMember(name: string, sources: readonly Document[], from: readonly string[]): Document {
  const values = sources.flatMap((source) => from.flatMap((member) => listOf(source[member])));
  return values.length === 0 ? {} : { [name]: [...new Set(values)] };
}

const dateMember = (asked: Document, name: string): Document => {
  const date = textOf(asked[name]);
  return date === undefined ? {} : { [name]: date };
};
