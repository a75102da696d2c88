import type { ContentSources } from '../common/api/security-headers.js';
import { epayMerchant } from '../base/options/epay-merchant.js';
import type { OptionValues } from '../base/options/option-catalogue.js';

/** The human check draws itself in a frame of the host its script comes from. */
const TURNSTILE_HOST = 'https://challenges.cloudflare.com';
const TELEGRAM = { script: 'https://telegram.org', frame: 'https://oauth.telegram.org' } as const;

type PageOptions = Pick<OptionValues, 'Chats' | 'HomePageContent' | 'About'>;
type WidgetOptions = Pick<
  OptionValues,
  'TurnstileCheckEnabled' | 'TurnstileSiteKey' | 'TelegramOAuthEnabled' | 'TelegramBotName'
>;
type PaymentOptions = Pick<OptionValues, 'PayAddress' | 'EpayId' | 'EpayKey'>;

/** Foreign origins the console needs: framed pages, and widgets and payment services that are switched on. */
export function contentSourcesOf(options: PageOptions & WidgetOptions & PaymentOptions): ContentSources {
  const hasTurnstile = options.TurnstileCheckEnabled && options.TurnstileSiteKey !== '';
  const hasTelegram = options.TelegramOAuthEnabled && options.TelegramBotName !== '';
  return {
    scripts: [...(hasTurnstile ? [TURNSTILE_HOST] : []), ...(hasTelegram ? [TELEGRAM.script] : [])],
    frames: [
      ...new Set([
        ...frameSourcesOf(options),
        ...(hasTurnstile ? [TURNSTILE_HOST] : []),
        ...(hasTelegram ? [TELEGRAM.frame] : []),
      ]),
    ],
    forms: formTargetsOf(options),
    hearsPopups: hasTelegram,
  };
}

/** An order is posted to the payment service, which redirects the browser to an unknown bank: browsers check each step. */
function formTargetsOf(options: PaymentOptions): string[] {
  const merchant = epayMerchant(options);
  if (merchant === null) return [];
  const origin = URL.parse(merchant.address)?.origin;
  return ['https:', ...(origin?.startsWith('http:') === true ? [origin] : [])];
}

/** Origins the console may frame, from the options that hold addresses of pages: chat links, home page, about. */
function frameSourcesOf(options: PageOptions): string[] {
  const pages = [options.HomePageContent.trim(), options.About.trim()];
  const origins = [
    // Saving them made sure that http stays within the own network.
    ...options.Chats.flatMap((entry) => Object.values(entry)).map((link) =>
      originOf(link, /^https?:\/\/\S+$/),
    ),
    ...pages.map((link) => originOf(link, /^https:\/\/\S+$/)),
  ];
  return [...new Set(origins.filter((origin) => origin !== undefined))];
}

const originOf = (link: string, form: RegExp): string | undefined =>
  form.test(link) ? URL.parse(link)?.origin : undefined;
