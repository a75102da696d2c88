import Box from '@mui/material/Box';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useCurrentUser } from '../../api/current-user';
import { browserName } from '../../shared/browser/browser-name';
import { useConfirm } from '../../shared/dialog/confirm';
import { Empty } from '../../shared/feedback/empty';
import { Failed } from '../../shared/feedback/failed';
import { StatusTag } from '../../shared/feedback/status-tag';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { providerName, PROVIDERS } from '../../shared/identity/providers';
import { useFreshly } from '../../shared/identity/step-up';
import { Section } from '../../shared/page/section';
import { Facts } from '../../shared/value/facts';
import { Moment } from '../../shared/value/moment';
import { useEndUserSessions, type UserSession, type UserSignIns, userSignInsQuery } from './account.api';
import type { User } from './api';
import { Factors } from './user-factors';

/** Ways in that are not outside services. */
const METHODS = ['password', 'known-password', 'two-factor', 'passkey', 'mail'] as const;

/** Ways to sign in to an account, its sessions and sign-ins, and the acts of administrators on them. Secrets are never shown. */
export function AccountSecurity({ user }: { user: User }) {
  const { t } = useTranslation();
  const isGone = user.DeletedAt !== null;
  const { data, error, isError, refetch } = useQuery({ ...userSignInsQuery(user.id), enabled: !isGone });
  if (isGone) return <Alert severity="info">{t('users.account.security.gone')}</Alert>;
  if (isError)
    return <Failed title={t('users.account.security.failed')} error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={240} />;
  const column = { display: 'grid', gap: 2, '& > *': { minWidth: 0 } };
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 2,
        gridTemplateColumns: { xs: '1fr', lg: '1fr 1fr' },
        alignItems: 'start',
        '& > *': { minWidth: 0 },
      }}
    >
      <Box sx={column}>
        <WaysIn user={user} signIns={data} />
        <FactorsSection user={user} />
      </Box>
      <Box sx={column}>
        <Sessions user={user} sessions={data.sessions} />
        <Attempts signIns={data} />
      </Box>
    </Box>
  );
}

function WaysIn({ user, signIns }: { user: User; signIns: UserSignIns }) {
  const { t } = useTranslation();
  const yesNo = (yes: boolean) => (
    <StatusTag tone={yes ? 'ok' : 'neutral'}>
      {t(yes ? 'users.account.security.yes' : 'users.account.security.no')}
    </StatusTag>
  );
  return (
    <Section title={t('users.account.security.ways')}>
      <Facts
        facts={[
          [t('users.account.security.password'), yesNo(signIns.has_password)],
          [t('users.account.email'), yesNo(user.email !== '')],
          ...PROVIDERS.map(
            (provider) => [providerName(provider, t), yesNo(signIns.providers.includes(provider))] as const,
          ),
          [t('users.account.security.accessToken'), yesNo(signIns.has_access_token)],
        ]}
      />
    </Section>
  );
}

function FactorsSection({ user }: { user: User }) {
  const { t } = useTranslation();
  return (
    <Section title={t('users.account.security.factors')} explanation={t('users.security.help')}>
      <Factors user={user} />
    </Section>
  );
}

function Sessions({ user, sessions }: { user: User; sessions: readonly UserSession[] }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const confirm = useConfirm();
  const freshly = useFreshly();
  const end = useEndUserSessions();
  const isSelf = useCurrentUser()?.id === user.id;
  const others = sessions.filter(({ current }) => !current).length;
  const askAndEnd = async () => {
    const yes = await confirm({
      title: t('users.account.security.endTitle', { name: user.username }),
      consequence: t('users.account.security.endText', { count: others }),
      action: t('users.account.security.endAction'),
      danger: true,
    });
    if (!yes) return;
    await freshly(() => end.mutateAsync(user.id)).then(
      () => toast('success', t('users.account.security.ended')),
      (failure: unknown) => toast('error', errorText(failure)),
    );
  };
  return (
    <Section
      title={t('users.account.security.sessions')}
      action={
        others > 0 && (
          <Button
            size="small"
            variant="outlined"
            color="error"
            loading={end.isPending}
            onClick={() => void askAndEnd()}
          >
            {t(isSelf ? 'users.account.security.endElsewhere' : 'users.account.security.end')}
          </Button>
        )
      }
    >
      {sessions.length === 0 ? (
        <Empty title={t('users.account.security.noSessions')} />
      ) : (
        <Box component="ul" sx={LIST}>
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </Box>
      )}
    </Section>
  );
}

const LIST = {
  listStyle: 'none',
  m: 0,
  p: 0,
  display: 'grid',
  '& > li': { display: 'flex', gap: 1.5, alignItems: 'center', py: 1, borderTop: 1, borderColor: 'divider' },
  '& > li:first-of-type': { borderTop: 0, pt: 0 },
} as const;

function SessionLine({ session }: { session: UserSession }) {
  const { t } = useTranslation();
  const wayText = useWayText();
  const name = browserName(session.user_agent) ?? t('users.account.security.unknownBrowser');
  const way = wayText(session.way);
  return (
    <li>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" title={session.user_agent}>
          {way === '' ? name : `${name} · ${way}`}
        </Typography>
        <Typography variant="caption" color="textSecondary" component="p">
          {t('users.account.security.seen', { ip: session.ip })} <Moment seconds={session.last_seen_at} />
        </Typography>
      </Box>
      {session.current && <StatusTag tone="ok">{t('users.account.security.current')}</StatusTag>}
    </li>
  );
}

function Attempts({ signIns }: { signIns: UserSignIns }) {
  const { t } = useTranslation();
  const wayText = useWayText();
  return (
    <Section
      title={t('users.account.security.attempts')}
      explanation={t('users.account.security.attemptsHelp')}
    >
      {signIns.sign_ins.length === 0 ? (
        <Empty title={t('users.account.security.noAttempts')} />
      ) : (
        <Box component="ul" sx={LIST}>
          {signIns.sign_ins.map(({ created_at: at, success, ip, way }, index) => (
            <li key={`${at}-${index}`}>
              <Box sx={{ flex: 1, minWidth: 0 }}>
                <Typography variant="body2" component="p">
                  <Moment seconds={at} />
                </Typography>
                <Typography variant="caption" color="textSecondary" component="p">
                  {[ip, wayText(way)].filter((part) => part !== '').join(' · ')}
                </Typography>
              </Box>
              <StatusTag tone={success ? 'ok' : 'fault'}>
                {t(success ? 'users.account.security.success' : 'users.account.security.refused')}
              </StatusTag>
            </li>
          ))}
        </Box>
      )}
    </Section>
  );
}

/** The name of a method to sign in; empty = not known. */
function useWayText(): (way: string) => string {
  const { t } = useTranslation();
  return (way) => {
    const method = METHODS.find((known) => known === way);
    if (method !== undefined) return t(`users.account.security.way.${method}`);
    const provider = PROVIDERS.find((known) => known === way);
    return provider === undefined ? '' : providerName(provider, t);
  };
}
