import UploadFileRounded from '@mui/icons-material/UploadFileRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId, useRef, useState, type ChangeEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import type { OptionTexts } from './api';
import { useComparePrices, type SyncRequest } from './price.api';
import { SyncDifferences } from './sync-differences';

/** Published lists that are known to be readable. */
const LISTS = [
  { name: 'models.dev', url: 'https://models.dev/api.json' },
  {
    name: 'LiteLLM',
    url: 'https://raw.githubusercontent.com/BerriAI/litellm/main/model_prices_and_context_window.json',
  },
] as const;

/** Prices from a published list, by address or from a file: looked at first, taken over as far as they are picked. */
export function PriceSync({ stored }: { stored: OptionTexts }) {
  const { t } = useTranslation();
  const compare = useComparePrices();
  const id = useId();
  const file = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState('');
  const [request, setRequest] = useState<SyncRequest>();
  const run = (next: SyncRequest) => {
    setRequest(next);
    compare.mutate(next);
  };
  const upload = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    event.target.value = '';
    if (chosen !== undefined) run({ document: await chosen.text(), url: '', providers: [] });
  };
  return (
    <Box sx={{ display: 'grid', gap: 2, py: 2, minWidth: 0 }}>
      <Box sx={{ px: 2.5, display: 'grid', gap: 1.5 }}>
        <Typography variant="body2" color="textSecondary">
          {t('prices.sync.help')}
        </Typography>
        <Box
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (url.trim() !== '') run({ document: '', url: url.trim(), providers: [] });
          }}
          sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'flex-end' }}
        >
          <Box sx={{ flex: '1 1 280px', maxWidth: 560 }}>
            <Typography component="label" htmlFor={id} variant="subtitle2">
              {t('prices.sync.address')}
            </Typography>
            <OutlinedInput
              id={id}
              fullWidth
              value={url}
              onChange={(event) => setUrl(event.target.value)}
              placeholder="https://"
              autoComplete="off"
              sx={{ mt: 0.5 }}
            />
          </Box>
          <Button type="submit" variant="outlined" disabled={url.trim() === ''} loading={compare.isPending}>
            {t('prices.sync.compare')}
          </Button>
          <Button color="inherit" startIcon={<UploadFileRounded />} onClick={() => file.current?.click()}>
            {t('prices.sync.file')}
          </Button>
          <input
            ref={file}
            type="file"
            accept="application/json,.json"
            hidden
            aria-label={t('prices.sync.file')}
            onChange={(event) => void upload(event)}
          />
        </Box>
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
          {LISTS.map((list) => (
            <Chip
              key={list.name}
              size="small"
              variant="outlined"
              label={list.name}
              aria-label={t('prices.sync.useList', { name: list.name })}
              onClick={() => setUrl(list.url)}
            />
          ))}
        </Box>
        <FailureAlert failure={compare.error} />
      </Box>
      {compare.data !== undefined && request !== undefined && (
        <SyncDifferences
          stored={stored}
          sync={compare.data}
          providers={request.providers}
          isComparing={compare.isPending}
          onProviders={(providers) => run({ ...request, providers })}
        />
      )}
    </Box>
  );
}
