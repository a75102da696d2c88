import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { formatMilliseconds } from '../../shared/format/duration';
import { useEditChannel } from './api';
import type { FailedTest } from './test-failure';
import { useTestWithConsent } from './use-test-with-consent';

const ENABLED = 1;
const SWITCHED_OFF = 2;
const AUTO_DISABLED = 3;

interface Tested {
  readonly id: number;
  readonly model: string;
  /** Status of the channel before the test; a new one is enabled. */
  readonly status?: number;
}

/** The test after a channel was saved: its failure stays until the next try. @param onDone  the drawer may close */
export function useTestOnSave(onDone: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const runTest = useTestWithConsent();
  const edit = useEditChannel();
  const [failed, setFailed] = useState<FailedTest>();
  const [isBusy, setBusy] = useState(false);

  /**
   * Enables a channel that the gateway had disabled once it answers again.
   * @returns true when the channel answered, or the person wants no test that costs money
   */
  const test = async ({ id, model, status = ENABLED }: Tested): Promise<boolean> => {
    setFailed(undefined);
    const result = await runTest(id, model).catch((error: unknown) => ({
      ok: false,
      message: errorText(error),
      seconds: 0,
    }));
    void client.invalidateQueries({ queryKey: ['channels', 'list'] });
    if (result === undefined) {
      toast('info', t('channels.saveTest.notTested'));
      return true;
    }
    if (!result.ok) {
      setFailed({ id, model, message: result.message, status });
      return false;
    }
    const time = formatMilliseconds(result.seconds * 1_000);
    if (status === AUTO_DISABLED) {
      await edit.mutateAsync({ id, status: ENABLED });
      toast('success', t('channels.saveTest.enabledAgain', { model, time }));
    } else toast('success', t('channels.saveTest.answered', { model, time }));
    return true;
  };
  const again = async () => {
    if (failed === undefined) return;
    setBusy(true);
    const before = failed;
    const isOk = await test(before);
    setBusy(false);
    if (isOk) onDone();
  };
  const switchOff = () => {
    if (failed === undefined) return;
    edit.mutate(
      { id: failed.id, status: SWITCHED_OFF },
      {
        onSuccess: () => {
          toast('success', t('channels.saveTest.switchedOff'));
          onDone();
        },
      },
    );
  };
  return {
    failed,
    isBusy: isBusy || edit.isPending,
    test,
    again,
    switchOff,
    chooseModel: (model: string) => setFailed((now) => (now === undefined ? now : { ...now, model })),
  };
}
