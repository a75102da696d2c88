import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Moment } from '../../shared/value/moment';
import { type Token, tokenActivityQuery } from './api';
import { connectState } from './connect-state';

/** Waits for the first call of a token: green once it came, or the reason why it was refused. */
export function ConnectLight({ token }: { token: Token }) {
  const { t } = useTranslation();
  const activity = useQuery(tokenActivityQuery(token.id)).data;
  const state = connectState(token, activity);
  const severity = ({ waiting: 'info', connected: 'success', refused: 'error', closed: 'warning' } as const)[
    state.kind
  ];
  return (
    <Alert severity={severity} role="status" aria-live="polite">
      {state.kind === 'waiting' && t('tokens.connect.light.waiting')}
      {state.kind === 'closed' && t(`tokens.connect.light.${state.status}`)}
      {state.kind === 'connected' && (
        <>
          {state.model === ''
            ? t('tokens.connect.light.connected')
            : t('tokens.connect.light.connectedBy', { model: state.model })}{' '}
          <Moment seconds={state.at} />
          {state.requestId !== '' && (
            <>
              {' · '}
              <Link to={`/log?request_id=${encodeURIComponent(state.requestId)}`}>
                {t('tokens.connect.light.open')}
              </Link>
            </>
          )}
        </>
      )}
      {state.kind === 'refused' && (
        <>
          {t(`tokens.connect.why.${state.reason}`)} <Moment seconds={state.at} />
          <br />
          <q lang="en">{state.message}</q>
        </>
      )}
    </Alert>
  );
}
