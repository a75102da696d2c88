/** Variable parts of the content security policy. */
export interface ContentSources {
  /** Origins pages of the console may frame: chat pages, framed home and about pages. */
  readonly frames: readonly string[];
  /** Origins whose scripts the console may load: widgets of sign-in services, only while they are switched on. */
  readonly scripts?: readonly string[];
  /** Further targets of forms: a payment service that takes an order, and the page it redirects to. */
  readonly forms?: readonly string[];
  /** True when a widget needs messages from a window it opens (Telegram); other windows are isolated. */
  readonly hearsPopups?: boolean;
}

/** Headers that depend on options: the content security policy and the opener policy. */
export function pageHeaders(sources: ContentSources): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(sources),
    'Cross-Origin-Opener-Policy': sources.hearsPopups === true ? 'same-origin-allow-popups' : 'same-origin',
  };
}

/**
 * Scripts only from our own files and from widgets that are switched on, never inline. Styles may stand inline: the component library writes `<style>` elements at run time,
 * and a style cannot run code.
 */
function contentSecurityPolicy({ frames, scripts = [], forms = [] }: ContentSources): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "font-src 'self' data:",
    // Speech that the playground received and plays.
    "media-src 'self' blob:",
    "connect-src 'self'",
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    ["form-action 'self'", ...forms].join(' '),
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Constants, on every answer of the console and its API. HSTS only counts where the page came over TLS. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()',
  'Cross-Origin-Resource-Policy': 'same-origin',
});
