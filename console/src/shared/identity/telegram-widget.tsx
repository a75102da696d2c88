import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStatus } from '../session/status';
import { ownAddress } from '../browser/base-path';

const SCRIPT = 'https://telegram.org/js/telegram-widget.js?22';

/**
 * Telegram's own button. It returns to a page of this console with the signed members: the other way it offers runs text as
 * code, which the content security policy forbids.
 */
export function TelegramWidget({ intent }: { intent: 'login' | 'bind' }) {
  const { t, i18n } = useTranslation();
  const bot = useStatus()?.telegram_bot_name ?? '';
  const language = i18n.resolvedLanguage ?? 'en';
  const container = useRef<HTMLDivElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    const element = container.current;
    if (element === null || bot === '') return;
    const script = document.createElement('script');
    script.src = SCRIPT;
    script.async = true;
    script.dataset['telegramLogin'] = bot;
    script.dataset['size'] = 'large';
    script.dataset['userpic'] = 'false';
    script.dataset['radius'] = '8';
    script.dataset['lang'] = language;
    script.dataset['authUrl'] = `${ownAddress()}/oauth/telegram/${intent}`;
    script.onerror = () => setFailed(true);
    element.replaceChildren(script);
    return () => element.replaceChildren();
  }, [bot, intent, language]);
  return (
    <>
      <Box
        ref={container}
        role="group"
        aria-label={t('identity.telegram.name')}
        sx={{ minHeight: failed ? 0 : 40, display: 'flex', justifyContent: 'center' }}
      />
      {failed && <Alert severity="warning">{t('identity.telegram.unreachable')}</Alert>}
    </>
  );
}
