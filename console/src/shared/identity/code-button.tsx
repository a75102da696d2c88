import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useCountdown } from '../browser/use-countdown';
import { toast } from '../feedback/toast';
import { useErrorText } from '../feedback/use-error-text';
import type { HumanCheck } from '../human-check/use-human-check';
import { useSendCode, type CodePurpose } from './send-code';

/** Seconds until a code may be sent again. */
export const RESEND_SECONDS = 30;

interface CodeButtonProps {
  purpose?: CodePurpose;
  check: HumanCheck;
  /** The address, once it is valid; undefined when the form shows its fault. */
  readAddress: () => Promise<string | undefined>;
  /** The form shows it beside the address. */
  onFailure: (text: string) => void;
  onSent: () => void;
}

/** Sends a code by mail, then waits out the countdown. */
export function CodeButton({ purpose = 'account', check, readAddress, onFailure, onSent }: CodeButtonProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { leftSeconds, start } = useCountdown(RESEND_SECONDS);
  const sendCode = useSendCode();
  const send = async () => {
    const email = await readAddress();
    if (email === undefined) return;
    if (!check.isReady) {
      onFailure(t('identity.check.wait'));
      return;
    }
    try {
      await sendCode.mutateAsync({ email, purpose, turnstile: check.take() });
    } catch (error) {
      onFailure(errorText(error));
      return;
    }
    start();
    toast('success', t('identity.code.sent'));
    onSent();
  };
  return (
    <Button
      size="small"
      loading={sendCode.isPending}
      disabled={leftSeconds > 0}
      onClick={() => void send()}
      sx={{ whiteSpace: 'nowrap', mr: -0.75 }}
    >
      {leftSeconds > 0 ? t('identity.code.again', { seconds: leftSeconds }) : t('identity.code.send')}
    </Button>
  );
}
