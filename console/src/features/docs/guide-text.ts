import { Marked, type Token } from 'marked';

const marked = new Marked({ gfm: true, async: false });

/** Values only a signed-in reader has; the server writes these words in their place. */
const KEY = 'YOUR_API_KEY';
const MODEL = 'YOUR_MODEL';

/** A piece of a guide that is drawn in its own way. */
export type GuidePart =
  | { readonly kind: 'text' | 'table'; readonly html: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

/** Fills in the reader's own values. @param key  omitted: the placeholder stays */
export function fillGuide(text: string, { key, model }: { key?: string; model?: string }): string {
  return text.replaceAll(KEY, key ?? KEY).replaceAll(MODEL, model ?? MODEL);
}

/** Splits Markdown into text, tables and code, in order. */
export function guideParts(markdown: string): GuidePart[] {
  const parts: GuidePart[] = [];
  let open: Token[] = [];
  const close = (): void => {
    if (open.length > 0) parts.push({ kind: 'text', html: marked.parser(open) });
    open = [];
  };
  for (const token of marked.lexer(markdown)) {
    if (token.type === 'code') {
      close();
      parts.push({ kind: 'code', text: token.text as string, language: (token['lang'] as string) ?? '' });
    } else if (token.type === 'table') {
      close();
      parts.push({ kind: 'table', html: marked.parser([token]) });
    } else if (token.type !== 'space') open.push(token);
  }
  close();
  return parts;
}
