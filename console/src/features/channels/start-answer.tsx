import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import RadioButtonUncheckedRounded from '@mui/icons-material/RadioButtonUncheckedRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { MONO } from '../../shared/format/mono';
import { CopyButton } from '../../shared/value/copyable';
import { maskSecret } from '../../shared/value/secret';
import { FIRST_STEPS, type FirstAnswerProgress, type FirstStep } from './use-first-answer';

interface StartAnswerProps {
  progress: FirstAnswerProgress;
  /** Steps that this form has; others are left out of the list. */
  steps?: readonly FirstStep[];
  channelId: number | undefined;
}

/** Each step after the press with its state, the token, and the answer with its receipt. */
export function StartAnswer({ progress, steps = FIRST_STEPS, channelId }: StartAnswerProps) {
  const { t } = useTranslation();
  const { current, done, failure, token, answer, reference } = progress;
  const place = useRef<HTMLDivElement>(null);
  const isDone = done.includes('answer');
  // The press was above: what came of it would lie below the fold.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [current, failure, token, isDone]);
  return (
    <Box ref={place} sx={{ display: 'grid', gap: 1.5, scrollMarginBottom: 24 }}>
      <Box
        component="ol"
        aria-live="polite"
        sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 0.75 }}
      >
        {steps.map((step) => (
          <Box component="li" key={step} sx={{ display: 'flex', gap: 1, alignItems: 'center' }}>
            <StepMark
              state={
                done.includes(step)
                  ? 'done'
                  : step !== current
                    ? 'open'
                    : failure === undefined
                      ? 'running'
                      : 'failed'
              }
            />
            <Typography
              variant="body2"
              color={step === current || done.includes(step) ? undefined : 'textSecondary'}
            >
              {t(`firstAnswer.step.${step}`)}
            </Typography>
          </Box>
        ))}
      </Box>
      <FailureAlert failure={failure} />
      {failure !== undefined && channelId !== undefined && (
        <Typography variant="body2" color="textSecondary">
          {t('firstAnswer.failedKept')}{' '}
          <Link to={`/channel/edit/${channelId}`}>{t('firstAnswer.openChannel')}</Link>
        </Typography>
      )}
      {token !== undefined && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
          <Typography variant="body2">{t('firstAnswer.token', { name: token.name })}</Typography>
          <Box component="code" sx={{ fontFamily: MONO, fontSize: 13 }}>
            {maskSecret(token.key)}
          </Box>
          <CopyButton text={token.key} label={t('firstAnswer.copyToken')} />
        </Box>
      )}
      {answer !== '' && (
        <Box
          role="group"
          aria-label={t('firstAnswer.answer')}
          sx={{
            bgcolor: 'soft.sunken',
            borderRadius: '8px',
            p: 2,
            whiteSpace: 'pre-wrap',
            overflowWrap: 'anywhere',
          }}
        >
          {answer}
        </Box>
      )}
      {isDone && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {reference !== '' && (
            <Button component={Link} to={`/log?open=${encodeURIComponent(reference)}`} variant="contained">
              {t('firstAnswer.receipt')}
            </Button>
          )}
          <Button component={Link} to="/playground" color="inherit">
            {t('firstAnswer.playground')}
          </Button>
          <Button component={Link} to="/channel/add" color="inherit">
            {t('firstAnswer.another')}
          </Button>
          <Button component={Link} to="/detail" color="inherit">
            {t('firstAnswer.dashboard')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

function StepMark({ state }: { state: 'open' | 'running' | 'done' | 'failed' }) {
  const { t } = useTranslation();
  const name = t(`firstAnswer.state.${state}`);
  if (state === 'running') return <CircularProgress size={18} aria-label={name} />;
  if (state === 'done') return <CheckCircleRounded fontSize="small" color="success" titleAccess={name} />;
  if (state === 'failed') return <ErrorOutlineRounded fontSize="small" color="error" titleAccess={name} />;
  return <RadioButtonUncheckedRounded fontSize="small" color="disabled" titleAccess={name} />;
}
