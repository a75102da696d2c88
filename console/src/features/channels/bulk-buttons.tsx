import { zodResolver } from '@hookform/resolvers/zod';
import Button from '@mui/material/Button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import * as z from 'zod/mini';
import { DialogForm } from '../../shared/dialog/dialog-form';
import { toast } from '../../shared/feedback/toast';
import { NumberField } from '../../shared/form/number-field';
import { wholeNumber } from '../../shared/form/rules';
import { usePrioritiseChannels, useSwitchChannels } from './api';
import { testChannel } from './test-channel';

interface BulkButtonsProps {
  ids: readonly number[];
  onDone: () => void;
}

/** Smallest priority that the form of a channel takes. */
const MIN_PRIORITY = -999;

/** Enables, disables, tests and prioritises the selected channels. */
export function BulkButtons({ ids, onDone }: BulkButtonsProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const switchAll = useSwitchChannels();
  const [isPrioritising, setPrioritising] = useState(false);
  /** Channels whose test is over, of the test in progress. */
  const [tested, setTested] = useState(0);
  const setStatus = (status: 1 | 2) =>
    switchAll.mutate(
      { ids: [...ids], status },
      {
        onSuccess: (count) => {
          toast('success', t(status === 1 ? 'channels.bulk.enabled' : 'channels.bulk.disabled', { count }));
          onDone();
        },
      },
    );
  const test = useMutation({
    mutationFn: async () => {
      const failures: string[] = [];
      // One after the other: each test is a call of a model.
      for (const [index, id] of ids.entries()) {
        setTested(index);
        const { ok, message } = await testChannel(id, '', false, '');
        if (!ok) failures.push(`#${id}: ${message}`);
      }
      return failures;
    },
    onSuccess: (failures) => {
      if (failures.length === 0) toast('success', t('channels.bulk.tested', { count: ids.length }));
      else
        toast(
          'error',
          t('channels.bulk.failed', {
            failed: failures.length,
            all: ids.length,
            reasons: failures.join(' · '),
          }),
        );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['channels'] }),
  });
  return (
    <>
      <Button size="small" loading={switchAll.isPending} onClick={() => setStatus(1)}>
        {t('channels.bulk.enable')}
      </Button>
      <Button size="small" loading={switchAll.isPending} onClick={() => setStatus(2)}>
        {t('channels.bulk.disable')}
      </Button>
      <Button size="small" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending
          ? t('channels.bulk.testing', { number: tested + 1, all: ids.length })
          : t('channels.bulk.test')}
      </Button>
      <Button size="small" onClick={() => setPrioritising(true)}>
        {t('channels.bulk.priority')}
      </Button>
      <PriorityDialog
        ids={ids}
        open={isPrioritising}
        onClose={() => setPrioritising(false)}
        onDone={() => {
          setPrioritising(false);
          onDone();
        }}
      />
    </>
  );
}

interface PriorityDialogProps extends BulkButtonsProps {
  open: boolean;
  onClose: () => void;
}

function PriorityDialog({ ids, open, onClose, onDone }: PriorityDialogProps) {
  const { t } = useTranslation();
  const prioritise = usePrioritiseChannels();
  const schema = useMemo(() => z.object({ priority: wholeNumber(t) }), [t]);
  const form = useForm({ resolver: zodResolver(schema), defaultValues: { priority: 0 } });
  return (
    <DialogForm
      open={open}
      title={t('channels.bulk.priorityTitle', { count: ids.length })}
      form={form}
      onSubmit={async ({ priority }) => {
        const count = await prioritise.mutateAsync({ ids: [...ids], priority });
        toast('success', t('channels.bulk.prioritised', { count }));
        onDone();
      }}
      onClose={onClose}
      submitLabel={t('channels.bulk.priority')}
    >
      <NumberField
        control={form.control}
        name="priority"
        label={t('channels.form.priority')}
        help={t('channels.form.priorityHelp')}
        min={MIN_PRIORITY}
      />
    </DialogForm>
  );
}
