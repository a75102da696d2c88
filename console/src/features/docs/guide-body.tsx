import Box from '@mui/material/Box';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { SafeHtml } from '../../shared/page/safe-html';
import { CopyButton } from '../../shared/value/copyable';
import { guideParts } from './guide-text';

/** A guide: text, tables that scroll by themselves, and code with a copy button. */
export function GuideBody({ text }: { text: string }) {
  const { t } = useTranslation();
  const parts = useMemo(() => guideParts(text), [text]);
  return (
    <Box sx={TEXT}>
      {parts.map((part, index) =>
        part.kind === 'code' ? (
          // Parts have no identity but their place.
          <Code key={index} text={part.text} />
        ) : part.kind === 'table' ? (
          <Box key={index} role="region" aria-label={t('docs.table')} tabIndex={0} sx={{ overflowX: 'auto' }}>
            <SafeHtml html={part.html} withStyles={false} />
          </Box>
        ) : (
          <SafeHtml key={index} html={part.html} withStyles={false} />
        ),
      )}
    </Box>
  );
}

function Code({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <Box sx={{ position: 'relative', my: 1.5, border: 1, borderColor: 'divider', borderRadius: '10px' }}>
      <Box
        component="pre"
        tabIndex={0}
        sx={{
          m: 0,
          p: 1.75,
          pr: 6,
          fontFamily: MONO,
          fontSize: 12.5,
          lineHeight: 1.65,
          overflowX: 'auto',
          bgcolor: 'soft.sunken',
          borderRadius: '10px',
        }}
      >
        <code>{text}</code>
      </Box>
      <Box sx={{ position: 'absolute', top: 6, right: 6, bgcolor: 'background.paper', borderRadius: '8px' }}>
        <CopyButton text={text} label={t('docs.copy')} />
      </Box>
    </Box>
  );
}

const TEXT = {
  maxWidth: 820,
  '& h1': { fontSize: 24, lineHeight: 1.3, mt: 0, mb: 1.5 },
  '& h2': { fontSize: 17, lineHeight: 1.4, mt: 3.5, mb: 1 },
  '& p, & li': { lineHeight: 1.65 },
  '& p': { my: 1 },
  '& :not(pre) > code': {
    fontFamily: MONO,
    fontSize: '0.9em',
    bgcolor: 'soft.neutral',
    borderRadius: '4px',
    px: 0.5,
    overflowWrap: 'anywhere',
  },
  '& table': { fontSize: 13.5, width: '100%' },
  '& th': { bgcolor: 'soft.sunken', fontWeight: 600 },
  '& th, & td': { px: 1.25, py: 0.75, verticalAlign: 'top' },
} as const;
