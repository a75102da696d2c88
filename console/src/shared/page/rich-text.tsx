import { lazy, Suspense } from 'react';
import { SafeHtml } from './safe-html';

/** Most instances never need it. */
const MarkdownText = lazy(async () => ({ default: (await import('./markdown-text')).MarkdownText }));

/** What an operator wrote: HTML when it begins with an element, which Markdown would take indented lines of for code; else Markdown. */
export function RichText({ text }: { text: string }) {
  if (text.trimStart().startsWith('<')) return <SafeHtml html={text} />;
  return (
    <Suspense fallback={null}>
      <MarkdownText text={text} />
    </Suspense>
  );
}
