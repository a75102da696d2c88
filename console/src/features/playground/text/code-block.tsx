import Box from '@mui/material/Box';
import { memo, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../../shared/dialog/manual-copy';
import type { Run } from './highlight';
import { loadOnce, workLate } from './late-work';

const highlighting = loadOnce(async () => (await import('./highlight')).highlight);

interface CodeBlockProps {
  code: string;
  /** Name the model gave; empty = none. */
  language: string;
  /** Still arriving: colours come at its end. */
  isOpen: boolean;
}

/** Code with its language, colours and a copy button; styles are in TEXT_STYLES. Nearly all plain elements: an answer may hold hundreds. */
export const CodeBlock = memo(function CodeBlock({ code, language, isOpen }: CodeBlockProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const runs = useRuns(code, language, isOpen);
  const name = language === '' ? t('playground.code') : language;
  return (
    <div className="code">
      <div className="code-head">
        <span>{name}</span>
        <button type="button" aria-label={t('playground.copyCode')} onClick={() => void copy(code)}>
          {t('common.copy')}
        </button>
      </div>
      <Box component="pre" tabIndex={0} aria-label={t('playground.codeOf', { language: name })} role="region">
        <code>
          {runs === undefined
            ? code
            : runs.map(({ text, className }, index) =>
                className === '' ? (
                  text
                ) : (
                  <span key={index} className={className}>
                    {text}
                  </span>
                ),
              )}
        </code>
      </Box>
    </div>
  );
});

interface Coloured {
  readonly code: string;
  readonly language: string;
  readonly runs: readonly Run[] | undefined;
}

/** Runs with their colours, once the code is whole and the page has time for them. */
function useRuns(code: string, language: string, isOpen: boolean): readonly Run[] | undefined {
  const [coloured, setColoured] = useState<Coloured>();
  useEffect(() => {
    if (language === '') return undefined;
    if (isOpen) return void highlighting();
    return workLate(highlighting, (highlight) =>
      setColoured({ code, language, runs: highlight(code, language.toLowerCase()) }),
    );
  }, [code, language, isOpen]);
  return coloured?.code === code && coloured.language === language ? coloured.runs : undefined;
}
