import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { Failed } from '../../shared/feedback/failed';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { providerName, PROVIDERS } from '../../shared/identity/providers';
import { Section } from '../../shared/page/section';
import { Moment } from '../../shared/value/moment';
import { sessionsQuery, useEndOtherSessions, useEndSession, type SignIn } from './api';
import { browserName } from '../../shared/browser/browser-name';
import { ListRow } from './list-row';

/** Ways in that are not outside services. */
const LOCAL_METHODS = ['password', 'two-factor', 'passkey'] as const;

/** Logins of this account. */
export function SessionList() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { data, error, isError, refetch } = useQuery(sessionsQuery);
  const endOthers = useEndOtherSessions();
  const others = data?.filter((session) => !session.current).length ?? 0;
  const askAndEndOthers = async () => {
    const yes = await confirm({
      title: t('personal.sessions.endOthers'),
      consequence: t('personal.sessions.endOthersHelp', { count: others }),
      action: t('personal.sessions.endOthersAction'),
      danger: true,
    });
    if (!yes) return;
    endOthers.mutate(undefined, { onSuccess: () => toast('success', t('personal.sessions.othersEnded')) });
  };
  return (
    <Section title={t('personal.sessions.title')} explanation={t('personal.sessions.help')}>
      {isError ? (
        <Failed title={t('personal.sessions.failed')} error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={56} />
      ) : (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
            {data.map((session) => (
              <SessionLine key={session.id} session={session} />
            ))}
          </Box>
          {others > 0 && (
            <div>
              <Button
                variant="outlined"
                color="error"
                loading={endOthers.isPending}
                onClick={() => void askAndEndOthers()}
              >
                {t('personal.sessions.endOthers')}
              </Button>
            </div>
          )}
        </Box>
      )}
    </Section>
  );
}

function SessionLine({ session }: { session: SignIn }) {
  const { t } = useTranslation();
  const end = useEndSession();
  const name = browserName(session.user_agent) ?? t('personal.sessions.unknown');
  const own = LOCAL_METHODS.find((way) => way === session.way);
  const provider = PROVIDERS.find((known) => known === session.way);
  const way =
    own !== undefined
      ? t(`personal.sessions.way.${own}`)
      : provider !== undefined
        ? providerName(provider, t)
        : undefined;
  return (
    <ListRow>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={session.user_agent}>
          {name}
          {way !== undefined && (
            <Typography component="span" variant="caption" color="textSecondary">
              {' '}
              · {way}
            </Typography>
          )}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {t('personal.sessions.seen', { ip: session.ip })} <Moment seconds={session.last_seen_at} />
        </Typography>
      </Box>
      {session.current ? (
        <StatusTag tone="ok">{t('personal.sessions.current')}</StatusTag>
      ) : (
        <Button
          size="small"
          color="inherit"
          loading={end.isPending}
          aria-label={t('personal.sessions.endNamed', { name })}
          onClick={() =>
            end.mutate(session.id, { onSuccess: () => toast('success', t('personal.sessions.ended')) })
          }
        >
          {t('personal.sessions.end')}
        </Button>
      )}
    </ListRow>
  );
}
