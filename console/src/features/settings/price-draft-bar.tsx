import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { useUnsavedGuard } from '../../shared/form/use-unsaved-guard';
import type { OptionTexts } from './api';
import { ratiosBeside } from './money-entries';
import { differences } from './price-difference';
import { priceDocument } from './price-documents';
import type { PriceDraft } from './price-draft';
import { useFaultText } from './price-fault-text';
import type { PriceProposal } from './price-review';
import { ofSettingsTab } from './settings-place';

const PriceReview = lazyDialog(
  async () => (await import('./price-review')).PriceReview,
  ({ proposal }) => proposal !== undefined,
);

/** Stays in sight below the editors while there is something to store: what changed, what is wrong, review. */
export function PriceDraftBar({ stored, draft }: { stored: OptionTexts; draft: PriceDraft }) {
  const { t } = useTranslation();
  const faultText = useFaultText();
  const [proposal, setProposal] = useState<PriceProposal>();
  const { changes, faults, discard } = draft;
  useUnsavedGuard(changes.length > 0, ofSettingsTab);
  const [fault] = faults;
  const faultyDocument = fault === undefined ? undefined : priceDocument(fault[0]);
  const review = () =>
    setProposal({
      title: t('prices.review.title'),
      differences: differences(stored, changes),
      beside: ratiosBeside(stored, changes),
      subject: { changes },
      store: { kind: 'edit', changes },
    });
  return (
    <>
      {changes.length > 0 && (
        <Box
          role="region"
          aria-label={t('prices.draft.label')}
          sx={{
            position: 'sticky',
            bottom: 12,
            zIndex: 4,
            display: 'flex',
            flexWrap: 'wrap',
            gap: 1.5,
            alignItems: 'center',
            px: 2.5,
            py: 1.5,
            bgcolor: 'background.paper',
            border: 1,
            borderColor: fault === undefined ? 'primary.main' : 'error.main',
            borderRadius: '10px',
          }}
        >
          <Typography
            aria-live="polite"
            variant="subtitle2"
            sx={{ flex: '1 1 220px', color: fault === undefined ? undefined : 'error.main' }}
          >
            {fault === undefined || faultyDocument === undefined
              ? t('prices.draft.changed', {
                  documents: changes
                    .map(({ key }) => priceDocument(key)?.name)
                    .filter((name) => name !== undefined)
                    .map((name) => t(`prices.${name}.label`))
                    .join(t('prices.draft.separator')),
                })
              : `${t(`prices.${faultyDocument.name}.label`)}: ${faultText(fault[1])}`}
          </Typography>
          <Button color="inherit" onClick={discard}>
            {t('prices.draft.discard')}
          </Button>
          <Button variant="contained" disabled={fault !== undefined} onClick={review}>
            {t('prices.draft.review')}
          </Button>
        </Box>
      )}
      <PriceReview proposal={proposal} onClose={() => setProposal(undefined)} onStored={discard} />
    </>
  );
}
