import { Marked } from 'marked';
import { useMemo } from 'react';
import { SafeHtml, type SafeHtmlProps } from './safe-html';

const marked = new Marked({ gfm: true, breaks: true, async: false });

/** Markdown of an operator. HTML inside it stays what it is, and is cleaned with the rest. */
export function MarkdownText({ text, showRemoved }: { text: string } & Omit<SafeHtmlProps, 'html'>) {
  const html = useMemo(() => marked.parse(text, { async: false }), [text]);
  return <SafeHtml html={html} showRemoved={showRemoved} />;
}
