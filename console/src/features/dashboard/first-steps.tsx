import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { storedFirstSteps, storedStepsHeight } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { lazyPart } from '../../shared/feedback/lazy-part';
import { Section } from '../../shared/page/section';
import { useExampleModel } from '../../shared/session/example-model';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { useServerAddress } from '../../shared/session/status';
import { firstChannelsQuery, type FirstToken, firstTokenQuery, recentCallsQuery } from './api';
import { KeptPlace, Measured } from './kept-height';

/** Only for who has not called yet. */
const SnippetTabs = lazyPart(async () => (await import('../../shared/snippets/snippet-tabs')).SnippetTabs);
const SNIPPET_HEIGHT = 260;
/** With so many calls the account needs no guide, in whichever browser. */
const KNOWN_AFTER_CALLS = 10;

type StepId = 'channel' | 'test' | 'token' | 'call' | 'log';

interface Step {
  readonly id: StepId;
  readonly done: boolean;
  readonly path?: string;
}

/** The way from an empty instance to an explained call; ticks itself from what is really there, then goes away. */
export function FirstSteps({ isAdministrator }: { isAdministrator: boolean }) {
  const { t } = useTranslation();
  const stored = useStored(storedFirstSteps);
  const channels = useQuery({ ...firstChannelsQuery, enabled: isAdministrator });
  const token = useQuery(firstTokenQuery);
  const calls = useQuery(recentCallsQuery);
  const ready =
    token.data !== undefined && calls.data !== undefined && (!isAdministrator || channels.data !== undefined);
  if (stored.hidden || [channels, token, calls].some((query) => query.isLoadingError)) return null;
  if (!ready) return <KeptPlace stored={storedStepsHeight} />;

  const called = calls.data.items.some((call) => call.token_name !== '');
  const knowsTheWay = calls.data.total >= KNOWN_AFTER_CALLS;
  const steps: Step[] = [
    ...(isAdministrator
      ? [
          { id: 'channel' as const, done: (channels.data?.count ?? 0) > 0, path: '/start' },
          { id: 'test' as const, done: called || channels.data?.tested === true, path: '/channel' },
        ]
      : []),
    { id: 'token', done: token.data !== null, path: '/token?edit=new' },
    { id: 'call', done: called },
    { id: 'log', done: called && stored.logSeen, path: '/log' },
  ];
  const done = steps.filter((step) => step.done).length;
  const current = knowsTheWay ? undefined : steps.find((step) => !step.done)?.id;
  return (
    <Measured key={current} stored={storedStepsHeight}>
      {current !== undefined && (
        <Section
          title={t('dashboard.steps.title')}
          explanation={t('dashboard.steps.progress', { done, count: steps.length })}
          action={
            <Button
              size="small"
              color="inherit"
              onClick={() => storedFirstSteps.write({ ...stored, hidden: true })}
            >
              {t('dashboard.steps.hide')}
            </Button>
          }
        >
          <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 0.5 }}>
            {steps.map((step) => (
              <StepLine key={step.id} step={step} current={step.id === current}>
                {step.id === 'call' && <FirstCall token={token.data ?? undefined} />}
              </StepLine>
            ))}
          </Box>
        </Section>
      )}
    </Measured>
  );
}

function StepLine({ step, current, children }: { step: Step; current: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Box
      component="li"
      aria-current={current ? 'step' : undefined}
      sx={{ display: 'flex', gap: 1.5, py: 0.75 }}
    >
      <Box
        sx={{
          color: step.done ? 'success.main' : current ? 'primary.main' : 'text.disabled',
          display: 'flex',
          pt: 0.125,
        }}
      >
        {step.done ? (
          <CheckCircleRounded fontSize="small" titleAccess={t('dashboard.steps.doneMark')} />
        ) : (
          <RadioButtonUncheckedRounded fontSize="small" titleAccess={t('dashboard.steps.openMark')} />
        )}
      </Box>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="h3" component="p" sx={{ color: step.done ? 'text.secondary' : undefined }}>
          {step.done || current || step.path === undefined ? (
            t(`dashboard.steps.${step.id}.title`)
          ) : (
            <MuiLink component={Link} to={step.path} color="inherit">
              {t(`dashboard.steps.${step.id}.title`)}
            </MuiLink>
          )}
        </Typography>
        {current && (
          <Box sx={{ display: 'grid', gap: 1.25, justifyItems: 'start', mt: 0.25 }}>
            <Typography variant="body2" color="textSecondary">
              {t(`dashboard.steps.${step.id}.text`)}
            </Typography>
            {children !== false && <Box sx={{ width: '100%', minWidth: 0 }}>{children}</Box>}
            {step.id !== 'call' && step.path !== undefined && (
              <Button component={Link} to={step.path} variant="contained" size="small">
                {t(`dashboard.steps.${step.id}.action`)}
              </Button>
            )}
          </Box>
        )}
      </Box>
    </Box>
  );
}

function FirstCall({ token }: { token: FirstToken | undefined }) {
  const { t } = useTranslation();
  const address = useServerAddress();
  const model = useExampleModel(useQuery(usableModelsQuery).data ?? []);
  if (token === undefined)
    return <Typography variant="body2">{t('dashboard.steps.call.waiting')}</Typography>;
  return (
    <Box sx={{ display: 'grid', gap: 1.25, justifyItems: 'start' }}>
      <Box sx={{ width: '100%', minWidth: 0 }}>
        <Suspense fallback={<Skeleton variant="rounded" height={SNIPPET_HEIGHT} />}>
          <SnippetTabs address={address} keyText={`sk-${token.key}`} model={model} hidesKey />
        </Suspense>
      </Box>
      <Button component={Link} to={`/token?connect=${token.id}`} variant="contained" size="small">
        {t('dashboard.steps.call.action')}
      </Button>
    </Box>
  );
}
