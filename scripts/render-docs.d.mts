export function renderOptions(
  catalogue: Readonly<
    Record<
      string,
      {
        readonly kind: string;
        readonly fallback: unknown;
        readonly class: string;
        readonly tab: string;
        readonly help: string;
        readonly range: string;
        readonly section: string;
        readonly isRootsToRead?: boolean;
      }
    >
  >,
  isForRootAlone: (key: never) => boolean,
): string;

export function renderErrors(
  catalogue: Readonly<Record<string, { readonly status: number; readonly en: string; readonly zh: string }>>,
  relayErrors: Readonly<
    Record<
      string,
      {
        readonly status: number;
        readonly type: string;
        readonly code: string | null;
        readonly retryAfter: string;
      }
    >
  >,
  refusals: Readonly<Record<string, { readonly kind: string; readonly says: string }>>,
): string;
