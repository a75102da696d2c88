import { loadScript } from '../browser/load-script';

const SCRIPT = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit';

export interface TurnstileOptions {
  readonly sitekey: string;
  /** Which form asks; the server compares it with what the proof was made for. */
  readonly action: string;
  readonly theme: 'light' | 'dark';
  readonly language: string;
  readonly callback: (proof: string) => void;
  readonly 'expired-callback': () => void;
  readonly 'error-callback': () => boolean;
}

/** The part of the service's script this console uses. */
export interface Turnstile {
  render(container: HTMLElement, options: TurnstileOptions): string | null | undefined;
  remove(widgetId: string): void;
}

declare global {
  interface Window {
    turnstile?: Turnstile;
  }
}

/** Fails: when the service cannot be reached. */
export async function loadTurnstile(): Promise<Turnstile> {
  if (window.turnstile === undefined) await loadScript(SCRIPT);
  if (window.turnstile === undefined) throw new Error('the human check did not start');
  return window.turnstile;
}
