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
import { useTranslation } from 'react-i18next';
import { exactQuota } from '../../shared/format/quota';
import { MONO } from '../../shared/format/mono';
import { StatusTag, type Tone } from '../../shared/feedback/status-tag';
import { Quota } from '../../shared/value/quota';
import { Facts } from '../../shared/value/facts';
import type { Explanation } from './api';

const EVIDENCE: Readonly<
  Record<string, { word: 'reported' | 'counted' | 'estimated' | 'none'; tone: Tone }>
> = {
  reported: { word: 'reported', tone: 'ok' },
  counted: { word: 'counted', tone: 'notice' },
  estimated: { word: 'estimated', tone: 'warning' },
  none: { word: 'none', tone: 'neutral' },
};

const ROUNDINGS = ['half-up', 'minimum', 'nothing-used', 'free'] as const;

/** The sum a person can redo by hand, what it is based on, and whether it still comes out the same. */
export function ChargeReason({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation();
  const evidence = EVIDENCE[explanation.evidence];
  const rounding = ROUNDINGS.find((known) => known === explanation.rounding);
  const perCall = explanation.mode === 'call';
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
          <Quota value={explanation.charged} />
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
          borderRadius: 2,
          bgcolor: 'soft.sunken',
          border: 1,
          borderColor: 'divider',
          overflowWrap: 'anywhere',
        }}
      >
        {explanation.formula}
      </Box>
      {explanation.steps.length > 0 && <Steps explanation={explanation} />}
      <Facts
        facts={[
          [
            perCall ? t('logs.why.price') : t('logs.why.modelRatio'),
            perCall ? `$${explanation.steps[0]?.ratio ?? ''}` : explanation.baseRatio,
          ],
          [t('logs.why.groupRatio'), explanation.groupRatio],
          [
            t('logs.why.sum'),
            [explanation.exact, rounding === undefined ? '' : t(`logs.rounding.${rounding}`)]
              .filter((part) => part !== '')
              .join(' · '),
          ],
          [t('logs.why.charged'), t('common.quotaExact', { quota: exactQuota(explanation.charged) })],
          explanation.writeoff > 0 && [
            t('logs.why.writeoff'),
            t('common.quotaExact', { quota: exactQuota(explanation.writeoff) }),
          ],
          explanation.revision !== undefined && [t('logs.why.version'), String(explanation.revision)],
        ]}
      />
      {explanation.unset === true && (
        <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
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
          color: explanation.isConsistent ? 'success.main' : 'warning.main',
        }}
      >
        {explanation.isConsistent ? (
          <CheckCircleOutlineRounded fontSize="small" />
        ) : (
          <WarningAmberRounded fontSize="small" />
        )}
        {explanation.isConsistent
          ? t('logs.why.consistent')
          : t('logs.why.inconsistent', { priced: exactQuota(explanation.priced) })}
      </Box>
    </Box>
  );
}

function Steps({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation();
  return (
    <TableContainer sx={{ my: 1.5 }}>
      <Table size="small" aria-label={t('logs.drawer.why')} sx={{ fontVariantNumeric: 'tabular-nums' }}>
        <TableHead>
          <TableRow>
            <TableCell sx={{ pl: 0 }}>{t('logs.why.part')}</TableCell>
            <TableCell align="right">{t('logs.why.count')}</TableCell>
            <TableCell align="right">{t('logs.why.ratio')}</TableCell>
            <TableCell align="right" sx={{ pr: 0 }}>
              {t('logs.why.subtotal')}
            </TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          {explanation.steps.map((step) => (
            <TableRow key={step.part}>
              <TableCell sx={{ pl: 0 }}>{partName(step.part, t)}</TableCell>
              <TableCell align="right">{step.count.toLocaleString('en-US')}</TableCell>
              <TableCell align="right">
                {explanation.mode === 'call' ? `$${step.ratio}` : `×${step.ratio}`}
              </TableCell>
              <TableCell align="right" sx={{ pr: 0 }}>
                {step.subtotal}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

const PARTS = [
  'input',
  'inputText',
  'cacheRead',
  'cacheWrite',
  'imageInput',
  'inputImage',
  'audioInput',
  'inputAudio',
  'output',
  'outputText',
  'audioOutput',
  'outputAudio',
  'imageOutput',
  'outputImage',
  'call',
] as const;

/** A part this console has no word for yet is shown by its own name. */
function partName(part: string, t: TFunction): string {
  const known = PARTS.find((each) => each === part);
  return known === undefined ? part : t(`logs.part.${known}`);
}
