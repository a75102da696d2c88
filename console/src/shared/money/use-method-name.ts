import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Ways to pay known by name; `zfb` and `wx` are what older consoles sent. */
const KNOWN = { alipay: 'alipay', zfb: 'alipay', wxpay: 'wxpay', wx: 'wxpay', stripe: 'stripe' } as const;

/** Names the server uses while the operator set none. */
const SERVER_NAMES: readonly string[] = ['', 'Alipay', 'WeChat Pay', 'Stripe'];

function isKnown(type: string): type is keyof typeof KNOWN {
  return Object.hasOwn(KNOWN, type);
}

/** The name of a way to pay, in the reader's language; the operator's own name is kept. */
export function useMethodName(): (type: string, name?: string) => string {
  const { t } = useTranslation();
  return useCallback(
    (type, name = '') => {
      if (isKnown(type) && SERVER_NAMES.includes(name)) return t(`money.method.${KNOWN[type]}`);
      return name === '' ? type : name;
    },
    [t],
  );
}
