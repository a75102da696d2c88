import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureAlert } from '../../shared/feedback/failure-alert';
import { DialogHeading } from '../../shared/dialog/dialog-heading';
import { toast } from '../../shared/feedback/toast';
import { RatioSwitch } from '../../shared/money/ratios';
import { LIMITS } from '../../shared/form/limits';
import { useStorePrices, type PreviewSubject, type PriceStore } from './price.api';
import type { RatiosBeside } from './money-entries';
import { PriceChangeList } from './price-change-list';
import type { DocumentChange } from './price-difference';
import { PriceEffect } from './price-effect';

/** A proposed change of prices. */
export interface PriceProposal {
  readonly title: string;
  /** Further facts to show before it is stored. */
  readonly remark?: string;
  /** Undefined = the server's preview alone lists the changes. */
  readonly differences: readonly DocumentChange[] | undefined;
  /** Model ratios before and after, so that factors of them can be shown as money. */
  readonly beside?: RatiosBeside;
  readonly subject: PreviewSubject;
  readonly store: PriceStore;
}

interface PriceReviewProps {
  proposal: PriceProposal | undefined;
  onClose: () => void;
  onStored: () => void;
}

/** Changes and their effect on past calls, before they are stored. */
export function PriceReview({ proposal, onClose, onStored }: PriceReviewProps) {
  const isPhone = useMediaQuery('(max-width:600px)');
  return (
    <Dialog
      open={proposal !== undefined}
      onClose={onClose}
      fullWidth
      fullScreen={isPhone}
      maxWidth="md"
      aria-labelledby="price-review"
    >
      {proposal !== undefined && <ReviewBody proposal={proposal} onClose={onClose} onStored={onStored} />}
    </Dialog>
  );
}

function ReviewBody({ proposal, onClose, onStored }: PriceReviewProps & { proposal: PriceProposal }) {
  const { t } = useTranslation();
  const store = useStorePrices();
  const noteId = useId();
  const [note, setNote] = useState('');
  const { differences, subject } = proposal;
  const save = () =>
    store.mutate(
      { store: proposal.store, note },
      {
        onSuccess: () => {
          toast('success', t('prices.review.stored'));
          onStored();
          onClose();
        },
      },
    );
  return (
    <>
      <DialogHeading
        id="price-review"
        title={proposal.title}
        note={t('prices.review.note')}
        onClose={onClose}
      />
      <DialogContent dividers sx={{ display: 'grid', gap: 3, alignContent: 'start' }}>
        {proposal.remark !== undefined && <Alert severity="info">{proposal.remark}</Alert>}
        <PriceEffect subject={subject} />
        {differences !== undefined && (
          <Box component="section" aria-labelledby="price-changes" sx={{ minWidth: 0 }}>
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mb: 1 }}>
              <Typography id="price-changes" variant="h3" sx={{ flex: 1 }}>
                {t('prices.review.changes')}
              </Typography>
              <RatioSwitch />
            </Box>
            <PriceChangeList changes={differences} beside={proposal.beside} />
          </Box>
        )}
        {proposal.store.kind !== 'reset' && (
          <Box>
            <Typography component="label" htmlFor={noteId} variant="subtitle2">
              {t('prices.review.reason')}
            </Typography>
            <OutlinedInput
              id={noteId}
              fullWidth
              value={note}
              onChange={(event) => setNote(event.target.value)}
              inputProps={{ maxLength: LIMITS.priceNote }}
              autoComplete="off"
              sx={{ mt: 0.5 }}
            />
          </Box>
        )}
        <FailureAlert failure={store.error} />
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button variant="contained" onClick={save} loading={store.isPending}>
          {t(proposal.store.kind === 'rollback' ? 'prices.review.rollBack' : 'prices.review.save')}
        </Button>
      </DialogActions>
    </>
  );
}
