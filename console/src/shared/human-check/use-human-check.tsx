import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useColorScheme } from '@mui/material/styles';
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n';
import { LANGUAGE_TAGS } from '../../i18n/languages';
import { useStatus } from '../session/status';
import { loadTurnstile, type Turnstile } from './turnstile';

/** The form that asks, as the server compares it. */
export type HumanCheckAction = 'login' | 'register' | 'bind' | 'reset';

export interface HumanCheck {
  /** True when the check is switched off or solved. */
  readonly isReady: boolean;
  /** The proof for one call: it counts once, so the widget starts over. Undefined when the check is switched off. */
  readonly take: () => string | undefined;
  /** Stands in the form; nothing while the check is switched off. */
  readonly widget: ReactNode;
}

/** The human check of the public status, for one form. */
export function useHumanCheck(action: HumanCheckAction): HumanCheck {
  const status = useStatus();
  const isOn = status?.turnstile_check === true && status.turnstile_site_key !== '';
  const [proof, setProof] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const take = useCallback(() => {
    if (!isOn || proof === null) return undefined;
    setProof(null);
    setRound((last) => last + 1);
    return proof;
  }, [isOn, proof]);
  return {
    isReady: !isOn || proof !== null,
    take,
    widget: isOn ? (
      <Widget key={round} siteKey={status.turnstile_site_key} action={action} onProof={setProof} />
    ) : null,
  };
}

interface WidgetProps {
  siteKey: string;
  action: HumanCheckAction;
  onProof: (proof: string | null) => void;
}

function Widget({ siteKey, action, onProof }: WidgetProps) {
  const { t } = useTranslation();
  const mode = useColorScheme().colorScheme === 'dark' ? 'dark' : 'light';
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const language = LANGUAGE_TAGS[currentLanguage()];

  useEffect(() => {
    const element = container.current;
    let service: Turnstile | undefined;
    let widgetId: string | undefined;
    let isGone = false;
    const start = async () => {
      service = await loadTurnstile();
      if (isGone || element === null) return;
      widgetId =
        service.render(element, {
          sitekey: siteKey,
          action,
          theme: mode,
          language,
          callback: onProof,
          'expired-callback': () => onProof(null),
          'error-callback': () => {
            onProof(null);
            return false;
          },
        }) ?? undefined;
    };
    start().catch(() => {
      if (!isGone) setFailed(true);
    });
    return () => {
      isGone = true;
      onProof(null);
      if (widgetId !== undefined) service?.remove(widgetId);
    };
  }, [siteKey, action, mode, language, onProof, attempt]);

  if (failed) {
    return (
      <Alert
        severity="warning"
        action={
          <Button
            color="inherit"
            size="small"
            onClick={() => {
              setFailed(false);
              setAttempt(attempt + 1);
            }}
          >
            {t('common.retry')}
          </Button>
        }
      >
        {t('identity.check.unreachable')}
      </Alert>
    );
  }
  return <Box ref={container} role="group" aria-label={t('identity.check.name')} sx={{ minHeight: 65 }} />;
}
