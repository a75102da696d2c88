import { Marked, type Tokens } from 'marked';
import { useMemo } from 'react';
import { SafeHtml } from '../../shared/page/safe-html';

const escape = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * Markdown of a model, which is nobody's friend: its HTML is text, and its pictures are links, since a picture that loads by
 * itself tells a stranger what stands in its address.
 */
const marked = new Marked({ gfm: true, breaks: true, async: false }).use({
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escape(text),
    image: ({ href, text }: Tokens.Image) =>
      `<a href="${escape(href)}">${escape(text === '' ? href : text)}</a>`,
  },
});

export function ModelText({ text }: { text: string }) {
  const html = useMemo(() => marked.parse(text, { async: false }), [text]);
  return <SafeHtml html={html} withStyles={false} />;
}
