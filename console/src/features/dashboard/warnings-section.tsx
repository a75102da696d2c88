import ErrorOutlineRounded from '@mui/icons-material/ErrorOutlineRounded';
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { isAdministrator, useCurrentUser } from '../../api/current-user';
import { storedHiddenWarnings, storedWarningsHeight } from '../../shared/browser/stored';
import { useStored } from '../../shared/browser/use-stored';
import { exactMoney } from '../../shared/format/money';
import { formatQuota } from '../../shared/format/quota';
import { formatSeconds } from '../../shared/format/timestamp';
import { Section } from '../../shared/page/section';
import { useShownModules } from '../../shared/session/modules';
import { useQuotaSettings } from '../../shared/session/status';
import { useNow } from '../../shared/value/use-now';
import { KeptPlace, Measured } from './kept-height';
import { type Warning, warningsQuery } from './use.api';

const HIDDEN_SECONDS = 30 * 86_400;

/** Conditions that make calls fail or lose money, now or soon, each with the page that ends it. Nothing where there are none. */
export function WarningsSection() {
  const { t } = useTranslation();
  const { data, isError } = useQuery(warningsQuery);
  const hidden = useStored(storedHiddenWarnings);
  const now = useNow();
  // A failed reading leaves the page without warnings until the next one.
  if (isError && data === undefined) return null;
  if (data === undefined) return <KeptPlace stored={storedWarningsHeight} />;
  const shown = data.filter(
    (warning) => warning.kind !== 'price-below-list' || (hidden[warning.model] ?? 0) <= now,
  );
  return (
    <Measured key={shown.length} stored={storedWarningsHeight}>
      {shown.length > 0 && (
        <Section title={t('dashboard.warnings.title')}>
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 1 }}>
            {shown.map((warning) => (
              <WarningLine key={keyOf(warning)} warning={warning} />
            ))}
          </Box>
        </Section>
      )}
    </Measured>
  );
}

function WarningLine({ warning }: { warning: Warning }) {
  const { t } = useTranslation();
  const text = useWarningText(warning);
  const mend = useMend(warning);
  const now = useNow();
  const isFault = warning.kind === 'failing-channel' || warning.kind === 'unpriced-model';
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1.25, alignItems: 'center', flexWrap: 'wrap' }}>
      <Box sx={{ display: 'flex', gap: 1.25, flex: '1 1 260px', minWidth: 0 }}>
        <Box sx={{ display: 'flex', pt: 0.125, color: isFault ? 'error.main' : 'warning.main' }}>
          {isFault ? (
            <ErrorOutlineRounded fontSize="small" aria-hidden />
          ) : (
            <WarningAmberRounded fontSize="small" aria-hidden />
          )}
        </Box>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
          {text}
        </Typography>
      </Box>
      {warning.kind === 'price-below-list' && (
        <Button
          size="small"
          color="inherit"
          onClick={() => hideUntil(warning.model, now + HIDDEN_SECONDS, now)}
        >
          {t('dashboard.warnings.hide')}
        </Button>
      )}
      {mend !== undefined && (
        <Button component={Link} to={mend.path} size="small" variant="outlined">
          {t(`dashboard.warnings.mend.${mend.word}`)}
        </Button>
      )}
    </Box>
  );
}

/** Forgets those whose time is over. */
function hideUntil(model: string, until: number, now: number): void {
  const still = Object.entries(storedHiddenWarnings.read()).filter(([, end]) => end > now);
  storedHiddenWarnings.write({ ...Object.fromEntries(still), [model]: until });
}

function useWarningText(warning: Warning): string {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  switch (warning.kind) {
    case 'unpriced-model':
      return t('dashboard.warnings.unpriced', { model: warning.model, count: warning.calls });
    case 'failing-channel':
      return t('dashboard.warnings.failing', {
        channel: `${warning.channel_name} #${warning.channel_id}`.trim(),
        failures: warning.failures.toLocaleString('en-US'),
        attempts: warning.attempts.toLocaleString('en-US'),
        share: `${((warning.failures / warning.attempts) * 100).toFixed(1)}%`,
      });
    case 'expiring-token':
      return t('dashboard.warnings.expiring', {
        token: warning.token_name,
        at: formatSeconds(warning.expires_at),
      });
    case 'low-balance':
      return t('dashboard.warnings.balance', {
        balance: formatQuota(warning.balance, settings),
        spent: formatQuota(warning.spent, settings),
      });
    case 'near-limit':
      return t(warning.resets_at === null ? 'dashboard.warnings.limit' : 'dashboard.warnings.limitUntil', {
        limit: warning.limit_name,
        percent: warning.percent,
        at: formatSeconds(warning.resets_at ?? 0),
      });
    case 'price-below-list':
      return t(`dashboard.warnings.belowList.${warning.part}`, {
        model: warning.model,
        price: exactMoney(warning.price),
        list: exactMoney(warning.list_price),
      });
  }
}

interface Mend {
  readonly word: 'price' | 'prices' | 'channel' | 'token' | 'topUp' | 'limits';
  readonly path: string;
}

/** Page where the reader can end the condition; undefined = the operator does not offer it to them. */
function useMend(warning: Warning): Mend | undefined {
  const modules = useShownModules();
  const asAdministrator = isAdministrator(useCurrentUser());
  const mend = mendOf(warning, asAdministrator);
  return modules.page(mend.path) ? mend : undefined;
}

function mendOf(warning: Warning, asAdministrator: boolean): Mend {
  switch (warning.kind) {
    case 'unpriced-model':
      return asAdministrator
        ? { word: 'price', path: '/prices?prices=unset_models' }
        : { word: 'prices', path: '/pricing' };
    case 'failing-channel':
      return { word: 'channel', path: `/channel/${warning.channel_id}` };
    case 'expiring-token':
      return { word: 'token', path: `/token?edit=${warning.token_id}` };
    case 'low-balance':
      return { word: 'topUp', path: '/topup' };
    case 'near-limit':
      return { word: 'limits', path: asAdministrator ? '/limit?near=true' : '/topup' };
    case 'price-below-list':
      return { word: 'price', path: `/prices?model=${encodeURIComponent(warning.model)}` };
  }
}

function keyOf(warning: Warning): string {
  switch (warning.kind) {
    case 'failing-channel':
      return `${warning.kind} ${warning.channel_id}`;
    case 'expiring-token':
      return `${warning.kind} ${warning.token_id}`;
    case 'low-balance':
      return warning.kind;
    case 'near-limit':
      return `${warning.kind} ${warning.limit_id} ${warning.limit_name}`;
    default:
      return `${warning.kind} ${warning.model}`;
  }
}
