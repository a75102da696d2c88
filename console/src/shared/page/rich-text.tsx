import { Suspense } from 'react';
import { lazyPart } from '../feedback/lazy-part';

/** Most instances never need them. */
const SafeHtml = lazyPart(async () => (await import('./safe-html')).SafeHtml);
const MarkdownText = lazyPart(async () => (await import('./markdown-text')).MarkdownText);

interface RichTextProps {
  text: string;
  /** Says below what was taken out: for the person who writes it. */
  showRemoved?: boolean;
}

/** Operator's text: HTML when it begins with an element, which Markdown would take indented lines of for code; else Markdown. */
export function RichText({ text, showRemoved }: RichTextProps) {
  return (
    <Suspense fallback={null}>
      {text.trimStart().startsWith('<') ? (
        <SafeHtml html={text} showRemoved={showRemoved} />
      ) : (
        <MarkdownText text={text} showRemoved={showRemoved} />
      )}
    </Suspense>
  );
}
