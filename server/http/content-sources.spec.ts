import { describe, expect, it } from '@jest/globals';
import { pageHeaders } from '../common/api/security-headers.js';
import { contentSourcesOf } from './content-sources.js';

const OFF = {
  Chats: [],
  HomePageContent: '',
  About: '',
  TurnstileCheckEnabled: false,
  TurnstileSiteKey: '',
  TelegramOAuthEnabled: false,
  TelegramBotName: '',
  PayAddress: '',
  EpayId: '',
  EpayKey: '',
} satisfies Parameters<typeof contentSourcesOf>[0];

const partOf = (headers: Readonly<Record<string, string>>, name: string) =>
  headers['Content-Security-Policy']?.split('; ').find((part) => part.startsWith(`${name} `));

describe('content sources [WEB-04]', () => {
  it('names no third-party host while nothing is switched on', () => {
    const headers = pageHeaders(contentSourcesOf(OFF));
    expect(partOf(headers, 'script-src')).toBe("script-src 'self'");
    expect(partOf(headers, 'frame-src')).toBe("frame-src 'none'");
    expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin');
  });

  it('lets the human check in when it is switched on and has a site key', () => {
    const on = { ...OFF, TurnstileCheckEnabled: true };
    expect(partOf(pageHeaders(contentSourcesOf(on)), 'script-src')).toBe("script-src 'self'");
    const headers = pageHeaders(contentSourcesOf({ ...on, TurnstileSiteKey: 'site' }));
    expect(partOf(headers, 'script-src')).toBe("script-src 'self' https://challenges.cloudflare.com");
    expect(partOf(headers, 'frame-src')).toBe('frame-src https://challenges.cloudflare.com');
    expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin');
  });

  it('lets the Telegram widget in, and its window answer', () => {
    const headers = pageHeaders(
      contentSourcesOf({ ...OFF, TelegramOAuthEnabled: true, TelegramBotName: 'gate_bot' }),
    );
    expect(partOf(headers, 'script-src')).toBe("script-src 'self' https://telegram.org");
    expect(partOf(headers, 'frame-src')).toBe('frame-src https://oauth.telegram.org');
    expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin-allow-popups');
  });

  it('lets orders be posted to a payment service, and on from there, only while payment is on', () => {
    const epay = { PayAddress: 'https://pay.example/x', EpayId: '1001', EpayKey: 'sixteen bytes at least' };
    const formsFor = (options: Partial<typeof OFF>) =>
      partOf(pageHeaders(contentSourcesOf({ ...OFF, ...options })), 'form-action');
    expect(formsFor({})).toBe("form-action 'self'");
    expect(formsFor({ ...epay, EpayKey: 'short' })).toBe("form-action 'self'");
    expect(formsFor(epay)).toBe("form-action 'self' https:");
    expect(formsFor({ ...epay, PayAddress: 'http://pay.example:8080/x' })).toBe(
      "form-action 'self' https: http://pay.example:8080",
    );
  });

  it('never lets inline script in', () => {
    const headers = pageHeaders(
      contentSourcesOf({
        ...OFF,
        TurnstileCheckEnabled: true,
        TurnstileSiteKey: 'site',
        TelegramOAuthEnabled: true,
        TelegramBotName: 'gate_bot',
      }),
    );
    expect(partOf(headers, 'script-src')).not.toContain('unsafe');
  });

  it('frames the pages the options name, each origin once', () => {
    const headers = pageHeaders(
      contentSourcesOf({
        ...OFF,
        Chats: [
          { one: 'https://chat.example/a' },
          { two: 'https://chat.example/b' },
          { home: 'http://10.0.0.5:3000/c' },
        ],
        About: ' https://about.example/page ',
        HomePageContent: 'http://plain.example',
      }),
    );
    expect(partOf(headers, 'frame-src')).toBe(
      'frame-src https://chat.example http://10.0.0.5:3000 https://about.example',
    );
  });
});
