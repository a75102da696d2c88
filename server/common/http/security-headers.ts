/** What the content security policy needs to know beyond constants. */
export interface ContentSources {
  /** Origins pages of the console may frame: chat pages, framed home and about pages. */
  readonly frames: readonly string[];
}

/**
 * WEB-04. Scripts only from our own files. Styles may stand inline: the component library writes `<style>` elements at run time,
 * and a style cannot run code.
 */
export function contentSecurityPolicy({ frames }: ContentSources): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: https:",
    "font-src 'self' data:",
    "connect-src 'self'",
    `frame-src ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** WEB-05: on every answer of the console and its API. HSTS only counts where the page came over TLS. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), interest-cohort=()',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
});
