import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../shared/page/section';
import { channelHealthQuery } from './api';

/** Tokens of a day that providers bill for attempts that failed, by channel; nothing where there are none. */
export function BilledEmptySection() {
  const { t } = useTranslation();
  const { data } = useQuery(channelHealthQuery);
  const billed = (data?.channels ?? [])
    .map(({ channel_id: id, billed_empty_tokens: hours }) => ({
      id,
      tokens: hours.reduce((sum, hour) => sum + hour, 0),
    }))
    .filter(({ tokens }) => tokens > 0)
    .toSorted((left, right) => right.tokens - left.tokens);
  if (billed.length === 0) return null;
  return (
    <Section title={t('status.billedEmpty.title')} explanation={t('status.billedEmpty.text')}>
      <Box component="dl" sx={{ m: 0, display: 'grid', gap: 1 }}>
        {billed.map(({ id, tokens }) => (
          <Box key={id} sx={{ display: 'grid', gridTemplateColumns: '160px 1fr', columnGap: 2 }}>
            <Typography component="dt" variant="body2">
              <Link to={`/channel/${id}`}>{t('status.billedEmpty.channel', { id })}</Link>
            </Typography>
            <Typography component="dd" variant="body2" sx={{ m: 0 }}>
              {t('status.billedEmpty.tokens', { tokens: tokens.toLocaleString('en-US') })}
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
