import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { MONO } from '../../shared/format/mono';
import { Section } from '../../shared/page/section';
import type { OptionTexts } from './api';
import { PRICE_DOCUMENTS } from './price-documents';
import { ReadOnlyNote } from './read-only-note';

/** The documents of the prices, for readers who may not change them. */
export function PriceTexts({ texts }: { texts: OptionTexts }) {
  const { t } = useTranslation();
  return (
    <Section title={t('prices.title')} explanation={t('prices.help')}>
      <ReadOnlyNote />
      {PRICE_DOCUMENTS.map(({ key, name }) => (
        <Box component="details" key={key} sx={{ borderTop: 1, borderColor: 'divider', py: 1 }}>
          <Typography component="summary" variant="body2" sx={{ cursor: 'pointer' }}>
            {t(`prices.${name}.label`)}
          </Typography>
          <Box
            component="pre"
            tabIndex={0}
            sx={{ fontFamily: MONO, fontSize: 12.5, m: 0, mt: 1, maxHeight: 320, overflow: 'auto' }}
          >
            {texts[key] ?? '{}'}
          </Box>
        </Box>
      ))}
    </Section>
  );
}
