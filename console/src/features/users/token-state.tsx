import LockOutlined from '@mui/icons-material/LockOutlined';
import { useTranslation } from 'react-i18next';
import { StatusTag } from '../../shared/feedback/status-tag';
import { Moment } from '../../shared/value/moment';
import type { AdministeredToken } from './administered-tokens.api';

const STATUS_WORDS = ['unknown', 'enabled', 'disabled', 'expired', 'exhausted'] as const;

/** The status of a token, and of a locked one who locked it, when and why. */
export function TokenState({ token }: { token: AdministeredToken }) {
  const { t } = useTranslation();
  if (token.lock === null)
    return (
      <StatusTag tone={token.status === 1 ? 'ok' : 'neutral'}>
        {t(`users.tokens.status.${STATUS_WORDS[token.status] ?? 'unknown'}`)}
      </StatusTag>
    );
  const { by, reason, at } = token.lock;
  return (
    <StatusTag
      tone="fault"
      icon={<LockOutlined />}
      tooltip={
        <>
          {t('users.tokens.lockedBy', { by, reason })} <Moment seconds={at} />
        </>
      }
    >
      {t('users.tokens.locked')}
    </StatusTag>
  );
}
