import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Loading } from '../../shared/feedback/loading';
import { FieldFrame } from '../../shared/form/field-frame';
import { formatJson } from '../../shared/format/json';
import { FilterSelect } from '../../shared/table/filter-select';
import { PRICE_DOCUMENTS, priceDocument, type PriceKey } from './price-documents';
import type { PriceDraft } from './price-draft';
import { useFaultText } from './price-fault-text';
import type { PriceProposal } from './price-review';

const PriceReview = lazyDialog(
  async () => (await import('./price-review')).PriceReview,
  ({ proposal }) => proposal !== undefined,
);

const CodeEditor = lazy(() =>
  import('../../shared/code/code-editor').then((module) => ({ default: module.CodeEditor })),
);

/** Every document of the prices as JSON, one at a time. */
export function PriceJson({ draft }: { draft: PriceDraft }) {
  const { t } = useTranslation();
  const [key, setKey] = useState<PriceKey>('ModelRatio');
  return (
    <Box sx={{ display: 'grid', gap: 2, p: 2.5 }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <FilterSelect
          value={key}
          label={t('prices.document')}
          width={220}
          onChange={(next) => setKey(priceDocument(next)?.key ?? 'ModelRatio')}
          values={PRICE_DOCUMENTS.map((each) => each.key)}
          text={(each) =>
            [
              t(`prices.${priceDocument(each).name}.label`),
              ...(draft.changes.some((change) => change.key === each) ? [t('prices.draft.mark')] : []),
            ].join(' ')
          }
        />
        <Typography variant="caption" color="textSecondary" sx={{ flex: 1 }}>
          {t('prices.documentKey', { key })}
        </Typography>
        <ResetRatios onReset={draft.discard} />
      </Box>
      <DocumentEditor key={key} documentKey={key} draft={draft} />
    </Box>
  );
}

function DocumentEditor({ documentKey, draft }: { documentKey: PriceKey; draft: PriceDraft }) {
  const { t } = useTranslation();
  const faultText = useFaultText();
  const id = useId();
  const document = PRICE_DOCUMENTS.find((each) => each.key === documentKey) ?? PRICE_DOCUMENTS[0];
  const stored = draft.texts[documentKey] ?? '';
  // Laid out once when it is opened; afterwards it stays as it is typed.
  const [isTyped, setTyped] = useState(false);
  const fault = draft.faults.get(documentKey);
  // Laying out would keep the last of two names and the digits that fit, and the fault with them.
  const formatted = fault === undefined ? formatJson(stored) : undefined;
  const text = isTyped ? stored : (formatted ?? stored);
  const write = (value: string) => {
    setTyped(true);
    draft.apply([{ key: documentKey, value }]);
  };
  return (
    <FieldFrame
      id={id}
      label={t(`prices.${document.name}.label`)}
      help={t(`prices.${document.name}.help`)}
      error={fault === undefined ? undefined : faultText(fault)}
      aside={
        <Box sx={{ display: 'flex', gap: 0.5, flexShrink: 0 }}>
          {(stored.trim() === '' || stored.trim() === '{}') && (
            <Button size="small" onClick={() => write(JSON.stringify(document.example, null, 2))}>
              {t('common.json.example')}
            </Button>
          )}
          <Button
            size="small"
            disabled={formatted === undefined || formatted === text}
            onClick={() => write(formatted ?? stored)}
          >
            {t('common.json.format')}
          </Button>
        </Box>
      }
    >
      <Suspense fallback={<Loading />}>
        <CodeEditor
          id={id}
          label={t(`prices.${document.name}.label`)}
          value={text}
          onChange={write}
          invalid={fault !== undefined}
          describedBy={fault === undefined ? `${id}-help` : `${id}-help ${id}-error`}
          minHeight={320}
        />
      </Suspense>
    </FieldFrame>
  );
}

/** The built-in model ratios instead of the stored ones, after a look at what that would mean. */
function ResetRatios({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation();
  const [proposal, setProposal] = useState<PriceProposal>();
  const propose = () =>
    setProposal({
      title: t('settings.confirm.reset'),
      remark: t('settings.confirm.resetText'),
      differences: undefined,
      subject: { reset: true },
      store: { kind: 'reset' },
    });
  return (
    <>
      <Button color="error" onClick={propose}>
        {t('prices.reset')}
      </Button>
      <PriceReview proposal={proposal} onClose={() => setProposal(undefined)} onStored={onReset} />
    </>
  );
}
