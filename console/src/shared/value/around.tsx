import type { ReactNode } from 'react';

interface AroundProps {
  /** A text with the mark `{value}`, which languages put in different places. */
  text: string;
  children: ReactNode;
}

/** A text around an element. */
export function Around({ text, children }: AroundProps) {
  const [before, after = ''] = text.split('{value}');
  return (
    <>
      {before}
      {children}
      {after}
    </>
  );
}
