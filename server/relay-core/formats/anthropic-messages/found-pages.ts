import type { ContentPart, Source } from '../../model/content.js';
import { documentOf, given, listOf, textOf, type Document } from '../shared/fields/json-fields.js';
import { MESSAGES_FORMAT } from './id.js';

/** Vendor option of a source that this format has as the result of a search: it is no citation. */
export const IN_RESULT = 'in a search result';

const RESULT = 'web_search_tool_result';
/** Pages of one answer at most; a search finds about ten. */
const MAX_PAGES = 100;

/** The pages in a result of the vendor's own search, each once. */
function pagesIn(block: Document): readonly Source[] {
  if (block['type'] !== RESULT) return [];
  return listOf(block['content']).flatMap((item): readonly Source[] => {
    const page = documentOf(item);
    const url = textOf(page['url']);
    if (url === undefined) return [];
    return [
      {
        url,
        ...given('title', textOf(page['title'])),
        vendorOptions: { [MESSAGES_FORMAT]: { [IN_RESULT]: true } },
      },
    ];
  });
}

/** Pages that searches of an answer found. They are its sources where the model cites none of them by itself. */
export class FoundPages {
  private readonly pages = new Map<string, Source>();
  private isCited = false;

  /** True while the pages are the only sources of the answer. */
  get areSources(): boolean {
    return this.pages.size > 0 && !this.isCited;
  }

  add(block: Document): void {
    for (const page of pagesIn(block)) if (this.pages.size < MAX_PAGES) this.pages.set(page.url ?? '', page);
  }

  cite(): void {
    this.isCited = true;
  }

  take(): readonly Source[] {
    if (!this.areSources) return [];
    this.isCited = true;
    return [...this.pages.values()];
  }
}

/** An answer whose searches found pages that it does not cite, with these as sources of the text that it ends with. */
export function withFoundPages(content: readonly ContentPart[]): readonly ContentPart[] {
  const found = new FoundPages();
  for (const part of content) {
    if (part.type === 'vendor') found.add(documentOf(part.value));
    else if (part.type === 'source') found.cite();
  }
  const last = found.areSources ? content.findLastIndex(({ type }) => type !== 'tool-call') : -1;
  if (content[last]?.type !== 'text') return content;
  const sources = found.take().map((source): ContentPart => ({ type: 'source', source }));
  return [...content.slice(0, last + 1), ...sources, ...content.slice(last + 1)];
}
