import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { splitList } from '../../shared/format/lists';
import { FieldFrame } from '../../shared/form/field-frame';
import { useExampleModel } from '../../shared/session/example-model';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { useServerAddress } from '../../shared/session/status';
import { SnippetTabs } from '../../shared/snippets/snippet-tabs';
import { CopyableText } from '../../shared/value/copyable';
import { clientKey, hasReadableKey, type Token } from './api';

interface UseTokenDialogProps {
  token: Token | null;
  onClose: () => void;
}

/** How to call with a token: address, key and model filled in. */
export function UseTokenDialog({ token, onClose }: UseTokenDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog open={token !== null} onClose={onClose} fullWidth maxWidth="md" aria-labelledby="use-token">
      <DialogHeading
        id="use-token"
        title={t('tokens.use.title', { name: token?.name ?? '' })}
        note={`${t('tokens.use.help')} ${t('tokens.use.shown')}`}
        onClose={onClose}
      />
      <DialogContent>{token !== null && <Body token={token} />}</DialogContent>
    </Dialog>
  );
}

function Body({ token }: { token: Token }) {
  const { t } = useTranslation();
  const address = useServerAddress();
  const usable = useQuery(usableModelsQuery).data ?? [];
  const models = token.model_limits_enabled ? splitList(token.model_limits) : usable;
  const [chosen, setChosen] = useState<string | null>(null);
  const example = useExampleModel(models);
  const model = chosen ?? example;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <div>
          <Typography variant="subtitle2" sx={{ mb: 0.5 }}>
            {t('tokens.use.address')}
          </Typography>
          <CopyableText text={`${address}/v1`} />
        </div>
        <FieldFrame id="use-model" label={t('tokens.use.model')}>
          <Autocomplete
            id="use-model"
            options={models}
            value={model}
            disableClearable
            onChange={(_event, next) => setChosen(next)}
            renderInput={(params) => <TextField {...params} size="small" />}
          />
        </FieldFrame>
      </Box>
      {hasReadableKey(token) ? (
        <SnippetTabs address={address} key={token.id} keyText={clientKey(token)} model={model} />
      ) : (
        <Alert severity="error">
          {t('tokens.unreadable')}. {t('tokens.unreadableHelp')}
        </Alert>
      )}
    </Box>
  );
}
