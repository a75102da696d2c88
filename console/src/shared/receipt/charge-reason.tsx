import CheckCircleOutlineRounded from '@mui/icons-material/CheckCircleOutlineRounded';
import WarningAmberRounded from '@mui/icons-material/WarningAmberRounded';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { TFunction } from 'i18next';
import { useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dollarsOfQuota, exactMoney } from '../format/money';
import { exactQuota } from '../format/quota';
import { MONO } from '../format/mono';
import { StatusTag, type Tone } from '../feedback/status-tag';
import { RatioSwitch, useShowsRatios } from '../money/ratios';
import { useToolName } from '../money/use-tool-name';
import { useQuotaSettings } from '../session/status';
import { Quota } from '../value/quota';
import { Facts } from '../value/facts';
import type { Explanation } from './explanation.api';
import { moneyFormula, moneyReceipt, type MoneyReceipt } from './charge-money';

const EVIDENCE: Readonly<
  Record<string, { word: 'reported' | 'bounded' | 'counted' | 'estimated' | 'none'; tone: Tone }>
> = {
  reported: { word: 'reported', tone: 'ok' },
  bounded: { word: 'bounded', tone: 'warning' },
  counted: { word: 'counted', tone: 'notice' },
  estimated: { word: 'estimated', tone: 'warning' },
  none: { word: 'none', tone: 'neutral' },
};

type Step = Explanation['charge']['steps'][number];

const ROUNDINGS = ['half-up', 'minimum', 'nothing-used', 'free'] as const;

/** The sum a person can redo by hand, what it is based on, and whether it still comes out the same. */
export function ChargeReason({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation();
  const evidence = EVIDENCE[explanation.evidence];
  const { charge } = explanation;
  const rounding = ROUNDINGS.find((known) => known === charge.rounding);
  const perCall = charge.mode === 'call';
  const ratios = useShowsRatios();
  const settings = useQuotaSettings();
  const receipt = useMemo(() => moneyReceipt(charge, settings.quotaPerUnit), [charge, settings.quotaPerUnit]);
  return (
    <Box component="section" aria-labelledby="charge-why">
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mb: 1, flexWrap: 'wrap' }}>
        <Typography id="charge-why" variant="h3">
          {t('logs.drawer.why')}
        </Typography>
        <StatusTag tone={evidence?.tone ?? 'neutral'}>
          {t(`logs.evidence.${evidence?.word ?? 'unknown'}`)}
        </StatusTag>
        <Typography sx={{ ml: 'auto', fontSize: 18, fontWeight: 650 }}>
          {settings.inCurrency ? (
            exactMoney(dollarsOfQuota(charge.charged, settings))
          ) : (
            <Quota value={charge.charged} />
          )}
        </Typography>
      </Box>
      <Box
        role="group"
        aria-label={t('logs.why.formula')}
        sx={{
          fontFamily: MONO,
          fontSize: 13,
          lineHeight: 1.7,
          p: 1.5,
          borderRadius: '8px',
          bgcolor: 'soft.sunken',
          border: 1,
          borderColor: 'divider',
          overflowWrap: 'anywhere',
        }}
      >
        {ratios ? charge.formula : moneyFormula(receipt)}
      </Box>
      {charge.steps.length > 0 &&
        (ratios ? <RatioSteps charge={charge} /> : <MoneySteps receipt={receipt} />)}
      <RatioSwitch />
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1.5 }}>
        {t('logs.why.frozen')}
      </Typography>
      <Facts
        facts={[
          ratios && perCall && [t('logs.why.price'), `$${charge.steps[0]?.ratio ?? ''}`],
          ratios && [perCall ? t('logs.why.quotaPerUnit') : t('logs.why.modelRatio'), charge.base_ratio],
          charge.factor !== null && [
            t('logs.why.factor'),
            `${charge.factor.name === '' ? '' : `${charge.factor.name} `}× ${charge.factor.ratio}`,
          ],
          charge.tier !== null && [t('logs.why.tier'), t('logs.why.tierText', charge.tier)],
          // A factor that changes nothing is part of no explanation.
          (ratios || charge.group_ratio !== '1' || charge.agreed_for !== null) && [
            t('logs.why.groupRatio'),
            groupRatioText(charge, t),
          ],
          charge.service_tier !== null && [
            t('logs.why.serviceTier'),
            `${charge.service_tier.name} × ${charge.service_tier.ratio}`,
          ],
          [
            t('logs.why.sum'),
            [
              ratios ? charge.exact : receipt.sum,
              rounding === undefined ? '' : t(`logs.rounding.${rounding}`),
            ]
              .filter((part) => part !== '')
              .join(' · '),
          ],
          [
            t('logs.why.charged'),
            ratios ? t('common.quotaExact', { quota: exactQuota(charge.charged) }) : receipt.charged,
          ],
          charge.writeoff > 0 && [t('logs.why.writeoff'), <Quota key="writeoff" value={charge.writeoff} />],
          charge.correction !== 0 && [
            t('logs.why.correction'),
            <Quota key="correction" value={charge.correction} signed />,
          ],
          [t('logs.why.version'), String(explanation.price_revision)],
        ]}
      />
      {explanation.is_price_unset && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {t('logs.why.unset')}
        </Typography>
      )}
      <Box
        sx={{
          display: 'flex',
          gap: 1,
          alignItems: 'center',
          mt: 1.5,
          fontSize: 13,
          color: charge.is_consistent ? 'success.main' : 'warning.main',
        }}
      >
        {charge.is_consistent ? (
          <CheckCircleOutlineRounded fontSize="small" />
        ) : (
          <WarningAmberRounded fontSize="small" />
        )}
        {charge.is_consistent
          ? t('logs.why.consistent')
          : t('logs.why.inconsistent', {
              priced: ratios ? exactQuota(charge.priced) : exactMoney(charge.priced / settings.quotaPerUnit),
            })}
      </Box>
    </Box>
  );
}

/** The factor, and for whom it was agreed where it is not the group's own. */
function groupRatioText(
  { group_ratio: ratio, agreed_for: agreed }: Explanation['charge'],
  t: TFunction,
): string {
  if (agreed === null || agreed === undefined) return ratio;
  const { account_group: group, models } = agreed;
  const words =
    models === null ? t('logs.why.agreedFor', { group }) : t('logs.why.agreedForModels', { group, models });
  return `${ratio} · ${words}`;
}

interface StepTableProps {
  /** Heads of the last two columns. */
  factor: string;
  sum: string;
  children: ReactNode;
}

/** Parts of a charge, each with its quantity, what it is multiplied by, and the product. */
function StepTable({ factor, sum, children }: StepTableProps) {
  const { t } = useTranslation();
  return (
    <TableContainer tabIndex={0} sx={{ my: 1.5 }}>
      <Table size="small" aria-label={t('logs.drawer.why')}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 0 }}>{t('logs.why.part')}</TableCell>
            <TableCell align="right">{t('logs.why.count')}</TableCell>
            <TableCell align="right">{factor}</TableCell>
            <TableCell align="right" sx={{ pr: 0 }}>
              {sum}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>{children}</TableBody>
      </Table>
    </TableContainer>
  );
}

/** Quantity, price and amount of each part: no figure of the inside of the gateway. */
function MoneySteps({ receipt }: { receipt: MoneyReceipt }) {
  const { t } = useTranslation();
  const toolName = useToolName();
  return (
    <StepTable factor={t('logs.why.unitPrice')} sum={t('logs.why.amount')}>
      {receipt.lines.map(({ step, price, amount }) => (
        <TableRow key={`${step.part} ${step.tool ?? ''}`}>
          <TableCell sx={{ pl: 0 }}>
            {partName(step.part, t)}
            {step.tool === undefined ? '' : ` (${toolName(step.tool)})`}
          </TableCell>
          <TableCell align="right">
            {step.count.toLocaleString('en-US')} {t(`logs.unit.${unitOf(step.part)}`)}
          </TableCell>
          <TableCell align="right">{t(`logs.why.per.${unitOf(step.part)}`, { price })}</TableCell>
          <TableCell align="right" sx={{ pr: 0 }}>
            {amount}
          </TableCell>
        </TableRow>
      ))}
    </StepTable>
  );
}

function RatioSteps({ charge }: { charge: Explanation['charge'] }) {
  const { t } = useTranslation();
  const toolName = useToolName();
  return (
    <StepTable factor={t('logs.why.ratio')} sum={t('logs.why.subtotal')}>
      {charge.steps.map((step) => (
        <TableRow key={`${step.part} ${step.tool ?? ''}`}>
          <TableCell sx={{ pl: 0 }}>
            {partName(step.part, t)}
            {step.tool === undefined ? '' : ` (${toolName(step.tool)})`}
            <Typography
              component="div"
              variant="caption"
              color="textSecondary"
              sx={{ fontFamily: MONO, overflowWrap: 'anywhere' }}
            >
              {stepFormula(step, charge, t)}
            </Typography>
          </TableCell>
          <TableCell align="right">
            {step.count.toLocaleString('en-US')} {t(`logs.unit.${unitOf(step.part)}`)}
          </TableCell>
          <TableCell align="right">{ratioText(charge.mode, step)}</TableCell>
          <TableCell align="right" sx={{ pr: 0 }}>
            {step.subtotal}
          </TableCell>
        </TableRow>
      ))}
    </StepTable>
  );
}

const PARTS = [
  'textInput',
  'cacheRead',
  'cacheWrite',
  'cacheWrite1h',
  'imageInput',
  'audioInput',
  'textOutput',
  'reasoningOutput',
  'audioOutput',
  'imageOutput',
  'call',
  'tool',
] as const;

/** Formula of a line with its numbers. */
function stepFormula(step: Step, charge: Explanation['charge'], t: TFunction): string {
  const kind = step.part === 'tool' ? 'tool' : charge.mode === 'call' ? 'call' : 'tokens';
  const { base_ratio: base, service_tier: tier } = charge;
  const group =
    tier === null || kind !== 'tokens' ? charge.group_ratio : `${charge.group_ratio} × ${tier.ratio}`;
  return t(`logs.why.step.${kind}`, { count: step.count, ratio: step.ratio, base, group });
}

function unitOf(part: string): 'tokens' | 'calls' | 'uses' {
  if (part === 'tool') return 'uses';
  return part === 'call' ? 'calls' : 'tokens';
}

/** Calls cost dollars, tools dollars per thousand uses, tokens a multiple of the model's ratio. */
function ratioText(mode: string, step: { readonly part: string; readonly ratio: string }): string {
  if (step.part === 'tool') return `$${step.ratio} / 1000`;
  return mode === 'call' ? `$${step.ratio}` : `×${step.ratio}`;
}

/** A part this console has no word for yet is shown by its own name. */
function partName(part: string, t: TFunction): string {
  const known = PARTS.find((each) => each === part);
  return known === undefined ? part : t(`logs.part.${known}`);
}
