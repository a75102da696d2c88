import Alert from '@mui/material/Alert';
import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { connectClient, CONNECT_CLIENTS } from '../../shared/connect/clients';
import type { ConnectClient } from '../../shared/connect/connect-client';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { splitList } from '../../shared/format/lists';
import { FieldFrame } from '../../shared/form/field-frame';
import { useChatModels, useExampleModel } from '../../shared/session/example-model';
import { useShownModules } from '../../shared/session/modules';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { useServerAddress } from '../../shared/session/status';
import { Secret } from '../../shared/value/secret';
import { clientKey, hasReadableKey, tokenQuery, type Token } from './api';
import { ConnectLight } from './connect-light';
import { ConnectPartView } from './connect-parts';

interface ConnectDialogProps {
  /** Null = closed. */
  tokenId: number | null;
  onClose: () => void;
}

/** The configuration of every client for one token, and a light that shows its first call. */
export function ConnectDialog({ tokenId, onClose }: ConnectDialogProps) {
  const { t } = useTranslation();
  const token = useQuery({ ...tokenQuery(tokenId ?? 0), enabled: tokenId !== null });
  return (
    <Dialog open={tokenId !== null} onClose={onClose} fullWidth maxWidth="md" aria-labelledby="connect">
      <DialogHeading
        id="connect"
        title={t('tokens.connect.title', { name: token.data?.name ?? '' })}
        note={t('tokens.connect.help')}
        onClose={onClose}
      />
      <DialogContent>
        {token.data !== undefined ? (
          <Body token={token.data} />
        ) : token.isError ? (
          <Failed
            title={t('tokens.form.notFound')}
            error={token.error}
            onRetry={() => void token.refetch()}
          />
        ) : (
          <Loading />
        )}
      </DialogContent>
    </Dialog>
  );
}

function Body({ token }: { token: Token }) {
  const { t } = useTranslation();
  const modules = useShownModules();
  const usable = useQuery(usableModelsQuery).data ?? [];
  const models = token.model_limits_enabled ? splitList(token.model_limits) : usable;
  const chatModels = useChatModels(models, token.group === '' ? undefined : token.group);
  const choices = chatModels.length === 0 ? models : chatModels;
  const [chosen, setChosen] = useState<string | null>(null);
  const [client, setClient] = useState<ConnectClient>(connectClient(''));
  const preferred = choices.filter((name) => client.prefers?.test(name) === true);
  const example = useExampleModel(preferred.length === 0 ? choices : preferred);
  const input = { address: useServerAddress(), key: clientKey(token), model: chosen ?? example };
  if (!hasReadableKey(token))
    return (
      <Alert severity="error">
        {t('tokens.unreadable')}. {t('tokens.unreadableHelp')}
      </Alert>
    );
  return (
    <Box sx={{ display: 'grid', gap: 2, minWidth: 0 }}>
      <ConnectLight token={token} />
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <FieldFrame id="connect-client" label={t('tokens.connect.client')}>
          <Autocomplete
            id="connect-client"
            options={CONNECT_CLIENTS}
            value={client}
            disableClearable
            groupBy={(each) => t(`tokens.connect.family.${each.family}`)}
            getOptionLabel={(each) => each.name}
            isOptionEqualToValue={(one, other) => one.id === other.id}
            onChange={(_event, next) => setClient(next)}
            renderInput={(params) => <TextField {...params} size="small" />}
          />
        </FieldFrame>
        <FieldFrame id="connect-model" label={t('tokens.connect.model')}>
          <Autocomplete
            id="connect-model"
            options={choices}
            value={input.model}
            disableClearable
            onChange={(_event, next) => setChosen(next)}
            renderInput={(params) => <TextField {...params} size="small" />}
          />
        </FieldFrame>
      </Box>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', minWidth: 0 }}>
        <Typography variant="subtitle2">{t('tokens.connect.key')}</Typography>
        <Secret value={input.key} name={t('tokens.keyOf', { name: token.name })} />
      </Box>
      {client.note !== undefined && <Alert severity="info">{t(`tokens.connect.note.${client.note}`)}</Alert>}
      {client.parts(input).map((part, index) => (
        <ConnectPartView key={`${client.id}-${index}`} part={part} secret={input.key} />
      ))}
      <Evidence client={client} />
      {modules.page('/docs') && (
        <Link component={RouterLink} to="/docs" variant="body2">
          {t('tokens.connect.docs')}
        </Link>
      )}
    </Box>
  );
}

function Evidence({ client: { name, evidence } }: { client: ConnectClient }) {
  const { t } = useTranslation();
  return (
    <Typography variant="caption" color="textSecondary">
      {evidence.kind === 'tested' ? (
        t('tokens.connect.tested', { name, version: evidence.version })
      ) : (
        <>
          {t('tokens.connect.read', { day: evidence.day })}{' '}
          <Link href={evidence.link} target="_blank" rel="noopener noreferrer">
            {t('tokens.connect.source')}
          </Link>
        </>
      )}
    </Typography>
  );
}
