import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../shared/page/section';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { CopyableText } from '../../shared/value/copyable';

/** Models shown before the list collapses. */
const FIRST_MODELS = 10;

export function AvailableModels() {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(usableModelsQuery);
  const models = data ?? [];
  const [all, setAll] = useState(false);
  const shown = all ? models : models.slice(0, FIRST_MODELS);
  return (
    <Section
      title={t('personal.models.title')}
      explanation={models.length > 0 ? t('personal.models.help') : undefined}
    >
      {!isPending && models.length === 0 && (
        <Typography color="textSecondary">{t('personal.models.none')}</Typography>
      )}
      <Box
        component="ul"
        sx={{ listStyle: 'none', m: 0, p: 0, display: 'flex', flexWrap: 'wrap', gap: 0.75 }}
      >
        {shown.map((model) => (
          <Box component="li" key={model} sx={{ maxWidth: '100%' }}>
            <CopyableText text={model} />
          </Box>
        ))}
      </Box>
      {models.length > FIRST_MODELS && (
        <Button size="small" sx={{ mt: 1 }} aria-expanded={all} onClick={() => setAll(!all)}>
          {all
            ? t('personal.models.less')
            : t('personal.models.more', { count: models.length - FIRST_MODELS })}
        </Button>
      )}
    </Section>
  );
}
