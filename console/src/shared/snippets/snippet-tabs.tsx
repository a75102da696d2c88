import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MONO } from '../format/mono';
import { CopyButton } from '../value/copyable';
import { maskSecret } from '../value/secret';
import { firstCall, SNIPPET_LANGUAGES, type SnippetInput, type SnippetLanguage } from './snippets';

/** A first call in the reader's language, ready to paste. @param hidesKey  what is copied has the key, what is shown has not */
export function SnippetTabs({ hidesKey = false, ...input }: SnippetInput & { hidesKey?: boolean }) {
  const { t } = useTranslation();
  const id = useId();
  const [language, setLanguage] = useState<SnippetLanguage>('curl');
  const code = firstCall(language, input);
  const shown = hidesKey ? firstCall(language, { ...input, keyText: maskSecret(input.keyText) }) : code;
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: '8px', overflow: 'hidden', minWidth: 0 }}>
      <Box
        sx={{ display: 'flex', alignItems: 'center', borderBottom: 1, borderColor: 'divider', pl: 2, pr: 1 }}
      >
        <Tabs
          value={language}
          onChange={(_event, next: SnippetLanguage) => setLanguage(next)}
          aria-label={t('tokens.use.tabs')}
          sx={{ flex: 1 }}
        >
          {SNIPPET_LANGUAGES.map((each) => (
            <Tab
              key={each.id}
              value={each.id}
              label={each.name}
              id={`${id}-${each.id}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </Tabs>
        <CopyButton text={code} label={t('tokens.use.copy')} />
      </Box>
      <Box
        component="pre"
        id={`${id}-panel`}
        role="tabpanel"
        aria-labelledby={`${id}-${language}`}
        tabIndex={0}
        sx={{
          m: 0,
          p: 2,
          fontFamily: MONO,
          fontSize: 12.5,
          lineHeight: 1.65,
          overflowX: 'auto',
          bgcolor: 'soft.sunken',
        }}
      >
        {shown}
      </Box>
    </Box>
  );
}
