import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import RemoveCircleOutlineRounded from '@mui/icons-material/RemoveCircleOutlineRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../api/current-user';
import { useConfirm } from '../../shared/dialog/confirm';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { useFreshly } from '../../shared/identity/step-up';
import { useResetFactor, userFactorsQuery, type Factor, type User } from './api';

/** Second factors of an account, with a button that removes each. */
export function Factors({ user }: { user: User }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const reset = useResetFactor(user.id);
  // The personal settings remove the own factors and ask for a proof.
  const isSelf = useCurrentUser()?.id === user.id;
  const { data, error, isError, refetch } = useQuery(userFactorsQuery(user.id));
  if (data === undefined) {
    return isError ? (
      <Failed title={t('users.security.loadFailed')} error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading />
    );
  }
  const ask = async (factor: Factor) => {
    const yes = await confirm({
      title: t(`users.security.confirm.${factor}`, { name: user.username }),
      consequence: t(`users.security.confirm.${factor}Text`),
      action: t(`users.security.reset`),
      danger: true,
    });
    if (!yes) return;
    await freshly(() => reset.mutateAsync(factor)).then(
      () => toast('success', t('users.done')),
      (failure: unknown) => toast('error', errorText(failure)),
    );
  };
  const rows = [
    {
      factor: 'twoFactor',
      isOn: data.enabled,
      word: t(data.enabled ? 'users.security.on' : 'users.security.off'),
    },
    {
      factor: 'passkeys',
      isOn: data.passkeys > 0,
      word: t('users.security.count', { count: data.passkeys }),
    },
  ] as const;
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1.5 }}>
      {rows.map(({ factor, isOn, word }) => (
        <Box
          component="li"
          key={factor}
          sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 36 }}
        >
          <Typography variant="subtitle2" sx={{ flex: 1 }}>
            {t(`users.security.${factor}`)}
          </Typography>
          <StatusTag
            tone={isOn ? 'ok' : 'neutral'}
            icon={isOn ? <CheckCircleOutlineRounded /> : <RemoveCircleOutlineRounded />}
          >
            {word}
          </StatusTag>
          {isOn && !isSelf && (
            <Button
              size="small"
              color="error"
              variant="outlined"
              aria-label={t(`users.security.resetNamed.${factor}`)}
              loading={reset.isPending && reset.variables === factor}
              onClick={() => void ask(factor)}
            >
              {t('users.security.reset')}
            </Button>
          )}
        </Box>
      ))}
    </Box>
  );
}
